"""Recipes: each one file with frozen options and one `build`, found by its decorator."""

from zeroply.recipes.base import System, find_recipe, recipe, recipes, restore, save
from zeroply.recipes.plan import Plan

__all__ = ["Plan", "System", "find_recipe", "recipe", "recipes", "restore", "save"]
