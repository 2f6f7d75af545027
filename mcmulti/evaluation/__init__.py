"""What a position is worth: winning chances by rollouts, and reviews of whole games."""
