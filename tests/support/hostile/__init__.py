"""What a hostile or broken service could say."""
