"""Recipes: each one file with frozen options and one `build`, found by its decorator."""

from zeroply.recipes.base import System
from zeroply.recipes.checkpoints import restore, save
from zeroply.recipes.plan import Plan
from zeroply.recipes.registry import find_recipe, recipe, recipes

__all__ = ["Plan", "System", "find_recipe", "recipe", "recipes", "restore", "save"]
