package sources

import "context"

// Declaration is what a database declares, apart from what it holds.
type Declaration struct {
	// Tables are the names of its ordinary tables in order.
	Tables []string
	// UserVersion is the pragma of that name.
	UserVersion int64
	// Fingerprint is the hex SHA-256 over the text of every object, ordered by type, then name, each followed by a line feed,
	// then the version in decimal and a line feed.
	Fingerprint string
}

// Declarer is implemented by a Source of databases.
type Declarer interface {
	// Declaration reads what a database declares, be it a conversation or not.
	Declaration(ctx context.Context, ref Ref) (Declaration, error)
}
