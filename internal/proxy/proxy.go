// Package proxy says what a proxy is: where the traffic of a profile goes before it reaches the web.
package proxy

import (
	"net"
	"strconv"
)

// Proxy is a server that traffic goes through. The zero value means none.
type Proxy struct {
	Type     string `json:"type"` // http, https, socks4 or socks5
	Host     string `json:"host"`
	Port     int    `json:"port"`
	Login    string `json:"login,omitempty"`
	Password string `json:"password,omitempty"`
}

// Set reports whether there is a proxy.
func (p Proxy) Set() bool { return p.Type != "" }

// Address returns the proxy's address without its credentials.
func (p Proxy) Address() string {
	if !p.Set() {
		return ""
	}
	return p.Type + "://" + p.HostPort()
}

// Shown returns the proxy's address as people see it: with the login, and without the password.
func (p Proxy) Shown() string {
	if !p.Set() || p.Login == "" {
		return p.Address()
	}
	return p.Type + "://" + p.Login + "@" + p.HostPort()
}

// HostPort returns the host and the port, as a dialler takes them.
func (p Proxy) HostPort() string { return net.JoinHostPort(p.Host, strconv.Itoa(p.Port)) }
