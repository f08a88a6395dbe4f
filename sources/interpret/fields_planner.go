package interpret

var (
	ofPlanner       = in(cortex + "CortexStepPlannerResponse")
	plannerResponse = ofPlanner("response")
	plannerItems    = ofPlanner("knowledge_base_items")
	plannerThinking = ofPlanner("thinking")
	plannerRedacted = ofPlanner("thinking_redacted")
	plannerMessage  = ofPlanner("message_id")
	plannerCalls    = ofPlanner("tool_calls")
	plannerModified = ofPlanner("modified_response")
	plannerDuration = ofPlanner("thinking_duration")
	plannerStop     = ofPlanner("stop_reason")
	plannerQuotes   = ofPlanner("recitation_metadata")
	plannerRaw      = ofPlanner("raw_thinking")

	quoteList     = in(common + "RecitationMetadata")("recitations")
	quoteCitation = in(common + "Recitation")("citation")
	quoteContent  = in(common + "Recitation")("content")
	ofCitation    = in(common + "Citation")
	citationURI   = ofCitation("uri")
	citationTitle = ofCitation("title")
	citationTerms = ofCitation("license")

	ofScored    = in(common + "KnowledgeBaseItemWithMetadata")
	scoredItem  = ofScored("knowledge_base_item")
	scoredName  = ofScored("document_source_name")
	scoredIndex = ofScored("index_name")
)
