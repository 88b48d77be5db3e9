"""Recipes: each one file with frozen options and one `build`, found by its decorator."""

from zeroply.recipes.base import Plan, System, find_recipe, recipe, recipes, restore, save

__all__ = ["Plan", "System", "find_recipe", "recipe", "recipes", "restore", "save"]
