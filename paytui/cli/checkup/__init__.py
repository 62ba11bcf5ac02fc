"""What `paytui doctor` looks at: a file for each family of checks, in the order that they need."""
