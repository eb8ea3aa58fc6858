"""How good a system is: scores, cross-validation, comparison, tuning."""
