package markdown

// The judgements and the escapers, for tests that ask a parser whether they are right.
var (
	Contained  = contained
	Plain      = plain
	AppendText = appendText
	AppendSpan = appendSpan
	AppendLink = appendLink
	Quote      = appendQuote
	Quotable   = quotable
	Fence      = appendFence
)
