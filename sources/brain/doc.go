// Package brain reads the files that lie beside the steps of a conversation, in the folder `brain/<id>` of its store:
// artifacts and their earlier versions, uploads, generated images, logs of background tasks, whole outputs of tools, messages
// of agents, queued prompts, and the list of scratch files. Of a conversation without steps it also reads what the store's
// `history.jsonl` says of its prompts.
//
// Everything is opened below the store and nowhere else; a symbolic link is named and never followed. Not read, on purpose:
// `.git` (snapshots of the same files), `terminals` and other files that may hold secrets (named, unless in `terminals`),
// and transcript logs, which package mirror reads.
//
// Bounds: a folder is looked through up to 20,000 files, of which 2,000 scratch files; a text is shown whole up to 1 MiB
// when it is an artifact and up to 64 KiB when it is output, of longer ones the beginning and the end; a message may have
// 4 MiB, metadata 256 KiB. What lies beyond is said.
package brain
