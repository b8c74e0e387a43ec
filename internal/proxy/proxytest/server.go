// Package proxytest has real proxies on loopback for tests: http, https, socks4(a) and socks5.
package proxytest

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"cove/internal/proxy"
)

// Config says how a Server behaves.
type Config struct {
	Type            string
	Login, Password string
	// Resolve returns where the server connects to for the address that a client names. Nil means there.
	Resolve func(address string) string
}

// Server is a proxy on loopback. Its methods may be called from any goroutine.
type Server struct {
	config   Config
	listener net.Listener
	tls      *httptest.Server // has the certificate of an https proxy

	mu        sync.Mutex
	closed    bool
	conns     map[net.Conn]bool
	requested []string
}

// Start runs a proxy until the test ends.
func Start(t testing.TB, c Config) *Server {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{config: c, listener: l, conns: map[net.Conn]bool{}}
	if c.Type == "https" {
		s.tls = httptest.NewTLSServer(http.NotFoundHandler())
		t.Cleanup(s.tls.Close)
	}
	t.Cleanup(s.Close)
	go s.serve()

	return s
}

// Proxy returns the address of the proxy, with its login.
func (s *Server) Proxy() proxy.Proxy {
	return proxy.Proxy{Type: s.config.Type, Host: "127.0.0.1", Port: s.listener.Addr().(*net.TCPAddr).Port,
		Login: s.config.Login, Password: s.config.Password}
}

// ClientTLS returns a configuration that trusts an https proxy.
func (s *Server) ClientTLS() *tls.Config {
	return s.tls.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
}

// Requested returns the addresses that clients named, in their order.
func (s *Server) Requested() []string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return slices.Clone(s.requested)
}

// Close ends the proxy and every connection through it, as if it had died.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	_ = s.listener.Close()
	for c := range s.conns {
		_ = c.Close()
	}
}

func (s *Server) serve() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			if !s.add(c) {
				return
			}
			defer s.drop(c)
			if s.tls != nil {
				c = tls.Server(c, s.tls.TLS.Clone())
			}
			in := bufio.NewReader(c)
			switch s.config.Type {
			case "socks4":
				s.socks4(c, in)
			case "socks5":
				s.socks5(c, in)
			default:
				s.http(c, in)
			}
		}()
	}
}

// add remembers a connection, so that Close closes it.
func (s *Server) add(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = c.Close()
		return false
	}
	s.conns[c] = true

	return true
}

func (s *Server) drop(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = c.Close()
	delete(s.conns, c)
}

// dial connects to what a client has asked for.
func (s *Server) dial(address string) (net.Conn, error) {
	s.mu.Lock()
	s.requested = append(s.requested, address)
	s.mu.Unlock()
	if s.config.Resolve != nil {
		address = s.config.Resolve(address)
	}
	c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	if !s.add(c) {
		return nil, net.ErrClosed
	}

	return c, nil
}

// join copies both directions until one of them ends.
func (s *Server) join(down net.Conn, in io.Reader, up net.Conn) {
	defer s.drop(up)
	go func() {
		_, _ = io.Copy(up, in)
		if half, ok := up.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	}()
	_, _ = io.Copy(down, up)
}
