package endpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// stamp is the name of the folder in which the IDE keeps the logs of one start.
var stamp = regexp.MustCompile(`^\d{8}T\d{6}$`)

// logged is what the logs of the IDE say about its language server.
type logged struct {
	port    int
	start   started
	log     string
	written time.Time
}

// byIDELogs returns the endpoints that the IDE's logs name, the log written last first. There are two layouts: a
// language_server.log with the port beside a main.log with the token, and a folder for each start with both in ls-main.log.
func (f *Finder) byIDELogs(ctx context.Context, root store.Root) ([]candidate, error) {
	folders := logFolders(f.goos, root.Surface, f.env)
	if len(folders) == 0 {
		return nil, errors.New("there is no home directory to look for the IDE's logs in")
	}
	var all []logged
	var cause error
	for _, folder := range slices.Backward(folders) {
		for _, read := range []func(string) (logged, error){f.flatLogs, f.stampedLog} {
			l, err := read(folder)
			if err == nil && l.start.store != "" && l.start.store != storeName(root.Surface) {
				err = fmt.Errorf("the language server in %s serves another store", l.log)
			}
			if err != nil {
				if cause == nil || !missing(err) {
					cause = err
				}
				continue
			}
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b logged) int { return b.written.Compare(a.written) })
	var found []candidate
	for _, l := range all {
		pid, token, err := f.ownProcess(ctx, l.port, l.start.token)
		if err != nil {
			cause = err
			continue
		}
		c := candidate{Endpoint: daemon.Endpoint{URL: localURL(l.port), Token: token, PID: pid, Origin: l.log}, port: l.port}
		c.still = func() error {
			if again, same, err := f.ownProcess(ctx, l.port, token); err != nil || again != pid || same != token {
				return errors.Join(fmt.Errorf("port %d changed hands", l.port), err)
			}
			return nil
		}
		found = append(found, c)
	}
	return f.own(found), cause
}

// storeName is what the language server of a surface is told to name its folder.
func storeName(surface string) string {
	if surface == "ide2" {
		return "antigravity-ide"
	}
	return "antigravity"
}

// flatLogs reads the layout of two files. The newest start with a token counts.
func (f *Finder) flatLogs(folder string) (logged, error) {
	const portLog, startLog = "language_server.log", "main.log"
	log, dir, err := f.openBelow(folder, portLog)
	if err != nil {
		return logged{}, fmt.Errorf("read %s: %w", filepath.Join(folder, portLog), err)
	}
	defer log.Close()
	l := logged{log: filepath.Join(folder, portLog), written: log.info.ModTime()}
	var is bool
	if l.port, is = log.port(); !is {
		return logged{}, fmt.Errorf("no active HTTP daemon port found in %s", l.log)
	}
	starts, err := f.openLog(dir, startLog)
	if err != nil {
		return l, nil // a server that asks for a token will say so
	}
	defer starts.Close()
	for line := range backward(starts, starts.info.Size()) {
		if start, is := startIn(line); is && start.token.Known() {
			l.start = start
			l.start.store = normal(start.store)
			break
		}
	}
	return l, nil
}

// stampedLog reads the newest start that has a language server. Its arguments stand before the port it then chose; a port of
// which that is not so gets no token.
func (f *Finder) stampedLog(folder string) (logged, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return logged{}, fmt.Errorf("read %s: %w", folder, err)
	}
	var log *logFile
	name := ""
	for _, entry := range slices.Backward(entries) { // sorted by name, which is the time
		if !entry.IsDir() || !stamp.MatchString(entry.Name()) {
			continue
		}
		name = filepath.Join(folder, entry.Name(), "ls-main.log")
		if log, _, err = f.openBelow(filepath.Join(folder, entry.Name()), "ls-main.log"); !missing(err) {
			break
		}
	}
	if log == nil {
		if err == nil {
			err = os.ErrNotExist
		}
		return logged{}, fmt.Errorf("read ls-main.log in %s: %w", folder, err)
	}
	defer log.Close()
	l := logged{log: name, written: log.info.ModTime()}
	for line, whole := range backward(log, log.info.Size()) {
		if l.port == 0 {
			l.port, _ = portIn(line)
			continue
		}
		_, earlier := portIn(line)
		if earlier || !whole {
			break
		}
		if start, is := startIn(line); is {
			l.start = start
			l.start.store = normal(start.store)
			break
		}
	}
	if l.port == 0 {
		return logged{}, fmt.Errorf("no active HTTP daemon port found in %s", name)
	}
	return l, nil
}

// openBelow opens a log in a folder and returns the folder without links.
func (f *Finder) openBelow(folder, name string) (*logFile, string, error) {
	dir, err := resolved(folder)
	if err != nil {
		return nil, "", err
	}
	log, err := f.openLog(dir, name)
	return log, dir, err
}

// normal is the name of a store's folder as the product writes it nowadays.
func normal(name string) string {
	if name == "" {
		return ""
	}
	return strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(path.Base(filepath.ToSlash(name))))
}
