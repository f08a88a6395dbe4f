// Package merge puts one conversation together from everything that is left of it: the source `auto`.
//
// # Order of truth
//
// The database (with its log), else the encrypted file, else the transcript logs, else what lies beside the steps. The best
// that can be read is the main source: its steps are the document. Places passed over are said in a note, as a loss when
// something was there. An encrypted file beside a readable database is the copy the product makes of a fork, and not read.
//
// # What the logs add
//
// The main source says which steps it holds before it reads any (sources.Outliner), and hands out the places where some are
// missing as batches of their own (sources.Gap). Those, and nothing else, are replaced here. So whatever reads a storage form
// needs to know nothing about logs, and an ordinary conversation goes through as it is: three look-ups by key, and the end
// of the log, are all it costs. Logs are opened when steps are missing, when one is damaged or was cleared, when the
// conversation was rewound, or when the log ends later.
//
// Steps that the main source lacks come from the logs and say so (Step.origin). Of a step that it has, its own text wins. Where
// a step's content is damaged, or the product deleted it (status CLEARED), the text of the logs stands behind what is left.
// A deleted text is no fault of the document and does not make it incomplete: the product meant it to be gone. What is
// neither here nor there is named: `steps 0–379 are not on disk`.
//
// # One step, two branches
//
// A step and a line are the same when index, kind and second agree, as far as both know (decide.go). After a rewind the logs
// keep what was deleted, and indexes mean two things. Lines fill a hole only when the nearest steps that both hold agree, and go
// on behind the last step only when they are not older than it. All other lines are another branch: it exists nowhere else
// and follows the last step as a nested trajectory of type BRANCH, so that every sink shows it and nothing takes it for the
// conversation. A note, which names the indexes and the log, says why.
//
// # Strictness
//
// Strict reading fills nothing, passes nothing over and refuses a hole, also one that the logs could fill: it is a hole of the
// source that was asked for. It reads no log but to see whether it goes on behind the last step, which it refuses as well.
//
// # Life of the logs
//
// The host decodes batches after the reader was closed. Whoever may still need the logs holds them, and the last one closes
// them. A log that changes meanwhile costs its own steps, never the document.
//
// A conversation may be going on. When its log ends later than its database the database is opened once more behind the log,
// so that only what the database really lacks comes from the log.
package merge
