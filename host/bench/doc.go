// Command bench is the performance suite: it runs agy-reader and reference programs that everybody can run side by side,
// and compares the ratios with a goal and a floor.
//
//	go run ./host/bench            # every row (make bench)
//	go run ./host/bench -gates     # CPU, memory and allocation rows on smaller data (make gates)
//	go run ./host/bench -only 4,6  # some rows
//
// # Method
//
// Both programs of a row run in turn after a warm-up, each as a whole process; the ratio is taken pair by pair and the median
// counts. CPU is user and system time of a process and what it waited for. Peak memory is that of the largest process.
//
// Every program writes its output to a new file in a memory file system, where there is one: agy-reader cannot do less, and so
// its references do the same, but where reading alone is measured. With -devnull the references throw their output away, while agy-reader spools its own before it
// does, as it always does for standard output; that compares more sharply, and unfairly.
//
// A ratio below its goal is what we aim for, a ratio beyond its floor fails the run. Rows of CPU, memory and counts hold on a
// busy machine; rows of wall time are for a quiet one. A row whose tool is missing fails and says so.
//
// # Data
//
// testdata/generate makes sessions with the product's tables and schema; testdata holds the reference programs, too. Data and
// programs are kept in the temporary folder, under a name made of everything they depend on, and can be deleted at any time.
//
//	heavy     mean 10 KB a step, files and diffs up to 90 KB; 12,000 steps
//	light     mean 2.6 KB a step, half of them tiny; 100,000 and 10,000 steps
//	small     500 sessions of 100 light steps
//	giant     one step of 100 MB among small ones
//	messages  answers of the model only, 4 KB of Markdown each
//	sealed    heavy as an encrypted file
//	many      500 and 5,000 sessions of 12 light steps
//	log       transcript logs without a database: 1 GB, and the short one
//	huge      heavy with 200,000 steps: a database of 2 GB
//
// The last two need room on the disk; where there is too little, their rows are skipped and say so.
package main
