// Package audit is the format audit: it compares what the installed agy stores and answers with what this program was last
// checked against, and makes the record of it (behaviour.md m.2, m.3; the readme's «Compatibility»).
//
// Examine looks and writes nothing. What it finds is a Report: checks with verdicts, the record that would be written, what
// is wrong (Findings) and why the record may not be written (Refusals). A shape that cannot be computed fails closed: there
// is no record then.
//
// # What may be compared
//
// The SQL schema of the newest database is compared with the recorded one by its fingerprint. The shape of sidecars (package
// shape) depends on which sidecars were looked at, so it is compared only when both audits looked at the same kind of corpus,
// and never when the version of agy is not known:
//
//   - ScopePaired: the newest conversation's own sidecar, a spot check;
//   - ScopePartial: files somebody collected ($AGY_SIDECAR_CORPUS), which prove nothing about what they lack;
//   - ScopeExplicit: all conversations, fetched by `audit-sweep` from one version (--corpus-swept). When a manifest lies beside
//     the corpus, it must be complete, of this store and of this version, and name the files that are there.
//
// Whatever the verdict, the paths that the canonical list does not have are shown. Those that it has and no sidecar had are
// counted: one conversation uses few of them. After a drift, or a whole sweep, the places where they are missing are shown.
package audit
