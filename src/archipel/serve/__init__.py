"""The server: HTTP for lobby, tables and records, WebSocket for play."""
