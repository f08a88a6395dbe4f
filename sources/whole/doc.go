// Package whole reads a trajectory message that is in memory as a whole: what an encrypted file holds, and what a daemon
// answers.
//
// The message is cut into steps, model calls, executor runs and the rest without decoding any of them; from there on
// everything is as in a database. See package trajectory for what all storage forms share.
package whole
