"""Series: several tables with the same dice, who may look at them, and their scores."""
