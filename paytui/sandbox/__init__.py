"""An embedded implementation of the service: HTTP on a real ledger, for demos and tests.

Its wire names are written by hand from service.md, and it imports nothing of the
client, so that it can judge the client.
"""
