"""What the detail view of each kind of object shows: one file a kind."""
