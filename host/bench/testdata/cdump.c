/* The floor of every reader: writes metadata and step_payload of every step, in order, to standard output. The database is
   opened as immutable so that nothing is left beside it. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *what, sqlite3 *db) {
	fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
	exit(1);
}

int main(int argc, char **argv) {
	sqlite3 *db;
	sqlite3_stmt *rows;
	char uri[4200];
	if (argc != 2) return 2;
	snprintf(uri, sizeof uri, "file:%s?immutable=1", argv[1]);
	if (sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, 0)) die("open", db);
	if (sqlite3_prepare_v2(db, "SELECT metadata, step_payload FROM steps ORDER BY idx", -1, &rows, 0)) die("prepare", db);
	int rc;
	while ((rc = sqlite3_step(rows)) == SQLITE_ROW)
		for (int i = 0; i < 2; i++) fwrite(sqlite3_column_blob(rows, i), 1, sqlite3_column_bytes(rows, i), stdout);
	if (rc != SQLITE_DONE) die("step", db);
	return fflush(stdout) != 0;
}
