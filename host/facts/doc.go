// Package facts knows what a store's own indexes say about its conversations: titles, projects, times, parents. Every value
// comes with the place it was found in, and «unknown» is a value. An index is never a list of the conversations there
// are: the product's lag behind, forget and are restored from backups. What is missing or broken in one costs
// what it would have said, and a note; it never stops a list.
//
// # Titles
//
// The first of these that says something is the title:
//
//  1. annotations/<id>.pbtxt, or the copy of it in a summaries file: the name the product shows, and the only place where a
//     person's own name for a conversation is kept.
//  2. a line that another program wrote into the logs to rename the conversation: a person's choice, too, but one that
//     the product does not know.
//  3. the title in conversation_summaries.db, agyhub_summaries_proto.pb, jetbox_summaries_proto.pb or
//     cache/conversation_metadata.json, in this order: the product's own words for the whole, but as old as the index.
//  4. a checkpoint that only made a title: the same words where they come from, at the price of reading a step.
//  5. the first prompt: a person's words, though about the beginning only.
//  6. a preview in one of those indexes: a piece of some message.
//
// Without any of them the title is unknown, and readers show the id.
//
// # Projects
//
// The project is the first of these that names a folder: the workspaces in the conversation itself; what an ACP server was
// started in (<id>.meta); the folder of the project whose id the conversation or an index has (config/projects);
// the workspaces in the indexes, in the order above; the folder history.jsonl has for the conversation's prompts;
// cache/last_conversations.json. Else the name of the project that has the id. A folder inside a store is the product's own scratch,
// never a project: in print mode nothing else is recorded. Nobody guesses from the files a conversation touched.
//
// # Times
//
// A time before the year 2000 or behind 2200 is what software writes for «never» and is unknown.
package facts
