"""Objectives: named, weighted loss terms over outputs and rows."""
