//! Servers of the Model Context Protocol (MCP): a client that trusts none of them, and what other programs are served.
