// Package doctor looks at what keeps sidecars true, and says what is wrong and what to do next: for each store the daemon and
// whether it accepts our token, the sidecars against the sessions' own files, and whether a watcher runs; for all of them the
// version of agy against the one that was audited.
//
// Examine looks; what it found is a Report, which is data alone. What fails (Report.Verdict) and what is printed
// (Report.Lines) follow from the report and nothing else.
//
// Nothing is written, and nothing that a watcher remembers is believed: a session whose sidecar claims to be complete is read in
// full. One whose sidecar is missing or proves nothing is unknown whatever it holds; the newest of those are read too, to say
// which are held by their own files. A token is never in
// a report. Texts in it may come from file names, daemons or agy, and are not inert: whoever prints them makes them so.
//
// Labels, values and what fails are the reference's (behaviour.md j, the readme's «Doctor»); lines that are indented deeper, and
// begin with an arrow where something is to be done, are ours.
package doctor
