// Package demo holds a synthetic conversation that shows every kind of content agy-reader knows. It is made by the code
// in session; nothing in it comes from a real conversation.
package demo

import (
	_ "embed"
	"slices"
)

//go:generate go run ./generate

//go:embed demo.db
var database []byte

// ConversationID is the conversation id of the demo. Its database is named ConversationID + ".db" in a store.
const ConversationID = "d3300000-0000-4000-8000-00000000d330"

// Database returns the SQLite file of the demo, closed cleanly. The slice belongs to the caller.
func Database() []byte { return slices.Clone(database) }
