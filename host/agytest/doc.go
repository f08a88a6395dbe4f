// Package agytest starts a stand-in for the daemon that lives inside agy and the IDE, for tests that go through real
// sockets, real logs and /proc: a process of its own named `agy` that serves the sessions of a store, asks for a token, exports it
// to tools, and can be told to be at fault.
//
//	d := agytest.Start(t, agytest.Options{Root: root, HowToken: agytest.Exported})
//	tool := d.Tool(t)
//	d.Set(t, agytest.Behaviour{Stale: true, Times: 1})
//	… d.Requests() …
//
// What it answers is made by package answers, which shares no code with the readers of this repository. Like the product it
// knows a conversation by its cascade id, and only after LoadTrajectory was called with the name of its file. It reads the
// store for every answer, so that it is never behind unless it is told to be.
//
// The program is built for each test program that needs it, unless AGYTEST_PROGRAM names one that is built already.
// Every process ends with its test, whatever way the test ends. Nothing here runs in the program; see go run ./host/agytest/agy -h
// for people.
package agytest
