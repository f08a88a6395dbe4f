package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agy-reader/host/agytest/control"
)

// openLog writes the lines about the ports to the log of the surface, and leaves it open, as the product does.
func (d *daemon) openLog(args []string, plain, secure net.Addr) (*os.File, error) {
	now := time.Now()
	ports := portLines(now, os.Getpid(), plain.(*net.TCPAddr).Port, secure.(*net.TCPAddr).Port)
	if d.config.Surface == "cli" {
		log, err := d.cliLog(now)
		if err == nil {
			_, err = log.WriteString(ports)
		}
		return log, err
	}
	said := strings.Join(args, " ")
	if d.config.Layout == control.Stamped {
		stamp := now.UTC()
		for {
			folder := filepath.Join(d.config.LogFolder, stamp.Format("20060102T150405"))
			if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
				return appendTo(filepath.Join(folder, "ls-main.log"), ideLine(now, "[LS Main] Args: "+said)+ports)
			}
			stamp = stamp.Add(time.Second)
		}
	}
	starts, err := appendTo(filepath.Join(d.config.LogFolder, "main.log"), ideLine(now, "Spawning: "+os.Args[0]+" "+said))
	if err != nil {
		return nil, err
	}
	starts.Close()
	return appendTo(filepath.Join(d.config.LogFolder, "language_server.log"), ports)
}

// cliLog makes a new log and lets cli.log lead to it.
func (d *daemon) cliLog(now time.Time) (*os.File, error) {
	folder := filepath.Join(d.config.Root, "log")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	name := d.config.LogName
	for try := 0; ; try++ {
		if d.config.LogName == "" {
			name = "cli-" + now.Add(time.Duration(try)*time.Second).Format("20060102_150405") + ".log"
		}
		log, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if errors.Is(err, fs.ErrExist) && d.config.LogName == "" {
			continue
		}
		if err != nil {
			return nil, err
		}
		spare := filepath.Join(d.config.Root, fmt.Sprintf(".cli.log-%d", os.Getpid()))
		if err := os.Symlink(filepath.Join("log", name), spare); err != nil {
			return nil, err
		}
		return log, os.Rename(spare, filepath.Join(d.config.Root, "cli.log"))
	}
}

// portLines are what a language server writes when it starts (behaviour.md c.2, and logs of real installs).
func portLines(now time.Time, pid, plain, secure int) string {
	line := func(place int, text string) string {
		return fmt.Sprintf("I%s %5d server.go:%d] %s\n", now.Format("0102 15:04:05.000000"), pid, place, text)
	}
	return line(1318, fmt.Sprintf("Starting language server process with pid %d", pid)) +
		line(505, fmt.Sprintf("Language server listening on random port at %d for HTTPS (gRPC)", secure)) +
		line(512, fmt.Sprintf("Language server listening on random port at %d for HTTP", plain))
}

// ideLine is a line of the IDE's own logs.
func ideLine(now time.Time, text string) string {
	return now.Format("2006-01-02 15:04:05.000") + " [info] " + text + "\n"
}

func appendTo(path, text string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(text)
	return f, err
}

// selfSigned makes a certificate for localhost; the product's HTTPS is TLS 1.3 only (format.md §5).
func selfSigned() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: key}}}, nil
}
