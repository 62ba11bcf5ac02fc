"""The facts that each kind of object shows in its detail view."""
