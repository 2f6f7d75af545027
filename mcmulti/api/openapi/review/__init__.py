"""What a review needs: the document as it is committed, in short, and what changed in it."""
