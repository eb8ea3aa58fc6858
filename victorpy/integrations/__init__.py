"""Victor inside other programs: LangChain, LlamaIndex, Scrapy and MCP. docs/integrations.md shows each."""
