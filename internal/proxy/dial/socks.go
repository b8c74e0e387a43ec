package dial

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"cove/internal/proxy"
)

// The bytes of SOCKS 4 and 5 that a client needs.
const (
	version4, version5 = 4, 5
	commandConnect     = 1
	methodNone         = 0
	methodPassword     = 2
	methodRefused      = 0xff
	granted4           = 0x5a
	noIdent4, ident4   = 0x5c, 0x5d
	typeIPv4           = 1
	typeName           = 3
	typeIPv6           = 4
)

// split parts the address of a site. A name must fit into a SOCKS request.
func split(address string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, err
	}
	if host == "" || len(host) > 255 || strings.ContainsRune(host, 0) {
		return "", 0, errors.New("the name of the site cannot be sent to the proxy")
	}
	return host, uint16(n), nil
}

// socks4 asks a SOCKS 4 proxy for a connection. Names are sent as SOCKS 4a does, never resolved here.
func socks4(c net.Conn, p proxy.Proxy, address string) error {
	host, port, err := split(address)
	if err != nil {
		return &Error{SiteRefused, err}
	}
	ip, err := netip.ParseAddr(host)
	name := err != nil
	if ip = ip.Unmap(); !name && !ip.Is4() {
		return &Error{SiteRefused, errors.New("a socks4 proxy cannot connect to IPv6 addresses")}
	}

	request := binary.BigEndian.AppendUint16([]byte{version4, commandConnect}, port)
	if name {
		request = append(request, 0, 0, 0, 1) // no address: the name follows
	} else {
		request = append(request, ip.AsSlice()...)
	}
	request = append(append(request, p.Login...), 0)
	if name {
		request = append(append(request, host...), 0)
	}
	if _, err := c.Write(request); err != nil {
		return err
	}

	var answer [8]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return &Error{NotAProxy, err}
	}
	switch {
	case answer[0] != 0:
		return &Error{NotAProxy, errors.New("the answer is not SOCKS 4")}
	case answer[1] == noIdent4, answer[1] == ident4:
		return &Error{LoginRefused, fmt.Errorf("SOCKS 4 answer %d", answer[1])}
	case answer[1] != granted4:
		return &Error{SiteRefused, fmt.Errorf("SOCKS 4 answer %d", answer[1])}
	}
	return nil
}

// socks5Login greets a SOCKS 5 proxy and logs in.
func socks5Login(c net.Conn, p proxy.Proxy) error {
	hello := []byte{version5, 1, methodNone}
	if hasLogin := p.Login != "" || p.Password != ""; hasLogin {
		if len(p.Login) > 255 || len(p.Password) > 255 {
			return &Error{LoginRefused, errors.New("the login or the password is too long for SOCKS 5")}
		}
		hello = []byte{version5, 2, methodNone, methodPassword}
	}
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var answer [2]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return &Error{NotAProxy, err}
	}

	switch {
	case answer[0] != version5:
		return &Error{NotAProxy, errors.New("the answer is not SOCKS 5")}
	case answer[1] == methodNone:
		return nil
	case answer[1] == methodRefused, answer[1] != methodPassword, len(hello) == 3:
		return &Error{LoginRefused, fmt.Errorf("the proxy wants login method %d", answer[1])}
	}
	login := append([]byte{1, byte(len(p.Login))}, p.Login...)
	login = append(append(login, byte(len(p.Password))), p.Password...)
	if _, err := c.Write(login); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return &Error{LoginRefused, err} // many proxies just hang up
	}
	if answer[1] != 0 {
		return &Error{LoginRefused, fmt.Errorf("login answer %d", answer[1])}
	}
	return nil
}

// socks5Connect asks a SOCKS 5 proxy, after the login, for a connection.
func socks5Connect(c net.Conn, address string) error {
	host, port, err := split(address)
	if err != nil {
		return &Error{SiteRefused, err}
	}
	request := []byte{version5, commandConnect, 0}
	switch ip, err := netip.ParseAddr(host); {
	case err != nil:
		request = append(append(request, typeName, byte(len(host))), host...)
	case ip.Unmap().Is4():
		request = append(append(request, typeIPv4), ip.Unmap().AsSlice()...)
	default:
		request = append(append(request, typeIPv6), ip.AsSlice()...)
	}
	if _, err := c.Write(binary.BigEndian.AppendUint16(request, port)); err != nil {
		return err
	}

	var answer [4]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return &Error{NotAProxy, err}
	}
	if answer[0] != version5 {
		return &Error{NotAProxy, errors.New("the answer is not SOCKS 5")}
	}
	if answer[1] != 0 {
		return &Error{SiteRefused, fmt.Errorf("SOCKS 5 answer %d", answer[1])}
	}
	return skipBound(c, answer[3])
}

// skipBound reads the address and the port that the proxy connects from, which nobody needs.
func skipBound(c net.Conn, kind byte) error {
	size := map[byte]int{typeIPv4: 4, typeIPv6: 16}[kind]
	if kind == typeName {
		var n [1]byte
		if _, err := io.ReadFull(c, n[:]); err != nil {
			return &Error{NotAProxy, err}
		}
		size = int(n[0])
	}
	if _, err := io.ReadFull(c, make([]byte, size+2)); err != nil {
		return &Error{NotAProxy, err}
	}
	return nil
}
