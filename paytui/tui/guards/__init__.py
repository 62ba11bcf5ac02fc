"""What stands between a trader's key and money, beside the service itself."""
