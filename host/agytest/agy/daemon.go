package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"agy-reader/host/agytest/answers"
	"agy-reader/host/agytest/control"
)

// daemon is the process.
type daemon struct {
	config control.Config
	port   int
	// log stays open as long as the process runs: a reader knows an agy by it.
	log *os.File

	out   sync.Mutex
	lines *json.Encoder

	mu         sync.Mutex
	behaviours []*behaviour
	// loaded are the sessions in memory, by cascade id: the names of their files.
	loaded map[string]string

	// writers are the databases that the daemon itself has written, by the name of their file.
	writing sync.Mutex
	writers map[string]*sql.DB

	tools tools
}

func newDaemon(config control.Config, out io.Writer) *daemon {
	return &daemon{config: config, lines: json.NewEncoder(out), loaded: map[string]string{}}
}

// say writes one event.
func (d *daemon) say(e control.Event) {
	d.out.Lock()
	defer d.out.Unlock()
	_ = d.lines.Encode(e) // nobody is left to be told
}

// start listens and writes the log. args are the process's own, which the IDE logs.
func (d *daemon) start(args []string) error {
	address := d.config.Address
	if address == "" {
		address = "127.0.0.1:0"
	}
	secure, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // the daemon listens as long as it lives
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	plain, err := net.Listen("tcp", address) //nolint:noctx // the daemon listens as long as it lives
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	d.port = plain.Addr().(*net.TCPAddr).Port
	certificate, err := selfSigned()
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	d.log, err = d.openLog(args, plain.Addr(), secure.Addr())
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	serve := func(secure bool) *http.Server {
		return &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, secure) }), ReadHeaderTimeout: time.Minute}
	}
	go func() { d.ended(serve(false).Serve(plain)) }()
	encrypted := serve(true)
	encrypted.TLSConfig = certificate
	go func() { d.ended(encrypted.ServeTLS(secure, "", "")) }()
	d.say(control.Event{Ready: &control.Ready{HTTP: "http://" + plain.Addr().String(), HTTPS: "https://" + secure.Addr().String(), Log: d.log.Name()}})
	return nil
}

// ended: a listener does so only by a fault.
func (d *daemon) ended(err error) {
	d.say(control.Event{Failed: err.Error()})
	os.Exit(1)
}

// obey follows commands until there are no more.
func (d *daemon) obey(in *bufio.Reader) {
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var c control.Command
		reply := control.Reply{}
		if err = json.Unmarshal(line, &c); err == nil {
			reply.ID = c.ID
			reply.PID, err = d.follow(c)
		}
		if err != nil {
			reply.Error = err.Error()
		}
		d.say(control.Event{Reply: &reply})
	}
}

func (d *daemon) follow(c control.Command) (pid int, err error) {
	switch c.Op {
	case "ping":
		return os.Getpid(), nil
	case "set":
		return 0, d.set(c.Behaviours)
	case "tool":
		return d.tools.start(d.toolEnvironment(c.Environment))
	case "stop":
		return 0, d.tools.stop(c.PID)
	}
	return 0, fmt.Errorf("unknown command %q", c.Op)
}

// load reads a session from the store, and remembers it by its cascade id.
func (d *daemon) load(file string) (*answers.Session, error) {
	s, err := answers.Load(d.config.Root, file)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.loaded[s.CascadeID()] = file
	return s, nil
}

// file returns the name of the file of a session in memory.
func (d *daemon) file(cascadeID string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, is := d.loaded[cascadeID]
	return file, is
}
