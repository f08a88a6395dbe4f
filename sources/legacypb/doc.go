// Package legacypb reads the encrypted conversation files of Antigravity 1.x and of agy 1.0.0 to 1.0.3
// (`conversations/*.pb`), and the background trajectories that later versions still write (`implicit/*.pb`).
//
// A file is one AES-256-GCM message: a nonce of 12 bytes, the ciphertext, a tag of 16 bytes. The key is part of the format
// and lies in the decoder profiles. A file is read whole, at most MaxFile bytes of it, and authenticated before a single
// byte is decoded; it is decrypted in its own memory, so that reading costs about the size of the file. Nothing is ever
// told from bytes whose tag does not fit: that is sources.ErrUnreadable.
//
// Decrypted, a file is one trajectory message, or one that wraps it with the workspace it belongs to. It is cut into
// steps, model calls, executor runs and the rest without decoding any of them; from there on everything is as in a
// database. A file that was never encrypted is read too, when it is such a message from its first byte to its last and the
// profile knows every field of it.
package legacypb
