"""HTTP: requests read strictly, answers written once, problems told."""
