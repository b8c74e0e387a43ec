package proxytest

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
)

// http serves CONNECT and plain requests, one of them for each connection.
func (s *Server) http(c net.Conn, in *bufio.Reader) {
	req, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(s.config.Login+":"+s.config.Password))
	if s.config.Login != "" && req.Header.Get("Proxy-Authorization") != want {
		_, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n"+
			"Content-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}
	address := req.Host
	if _, _, err := net.SplitHostPort(address); err != nil {
		address = net.JoinHostPort(address, "80")
	}
	up, err := s.dial(address)
	if err != nil {
		_, _ = io.WriteString(c, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}

	if req.Method == http.MethodConnect {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	} else {
		req.Header.Del("Proxy-Authorization")
		req.Close = true
		_ = req.Write(up)
	}
	s.join(c, in, up)
}

// read reads n bytes, or fewer at the end of the stream.
func read(in *bufio.Reader, n int) []byte {
	b := make([]byte, n)
	_, _ = io.ReadFull(in, b)

	return b
}

func (s *Server) socks4(c net.Conn, in *bufio.Reader) {
	head := read(in, 8)
	user, err := in.ReadString(0)
	if err != nil || head[0] != 4 || head[1] != 1 {
		return
	}
	host := netip.AddrFrom4([4]byte(head[4:])).String()
	if head[4] == 0 && head[5] == 0 && head[6] == 0 && head[7] != 0 { // 4a
		name, err := in.ReadString(0)
		if err != nil {
			return
		}
		host = name[:len(name)-1]
	}
	if s.config.Login != "" && user != s.config.Login+"\x00" {
		_, _ = c.Write([]byte{0, 0x5d, 0, 0, 0, 0, 0, 0})
		return
	}
	up, err := s.dial(net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(head[2:])))))
	if err != nil {
		_, _ = c.Write([]byte{0, 0x5b, 0, 0, 0, 0, 0, 0})
		return
	}

	_, _ = c.Write([]byte{0, 0x5a, 0, 0, 0, 0, 0, 0})
	s.join(c, in, up)
}

func (s *Server) socks5(c net.Conn, in *bufio.Reader) {
	head := read(in, 2)
	methods := read(in, int(head[1]))
	if head[0] != 5 || !s.login5(c, in, methods) {
		return
	}
	request := read(in, 4)
	if request[0] != 5 { // the client has left
		return
	}
	var host string
	switch request[3] {
	case 1, 4:
		ip, _ := netip.AddrFromSlice(read(in, map[byte]int{1: 4, 4: 16}[request[3]]))
		host = ip.String()
	case 3:
		host = string(read(in, int(read(in, 1)[0])))
	}
	port := binary.BigEndian.Uint16(read(in, 2))
	up, err := s.dial(net.JoinHostPort(host, strconv.Itoa(int(port))))
	if err != nil {
		_, _ = c.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}

	_, _ = c.Write([]byte{5, 0, 0, 3, 1, 'x', 0, 0}) // bound to a name: rare, and legal
	s.join(c, in, up)
}

func (s *Server) login5(c net.Conn, in *bufio.Reader, methods []byte) bool {
	want := byte(0)
	if s.config.Login != "" {
		want = 2
	}
	offered := false
	for _, m := range methods {
		offered = offered || m == want
	}
	if !offered {
		_, _ = c.Write([]byte{5, 0xff})
		return false
	}
	_, _ = c.Write([]byte{5, want})
	if want == 0 {
		return true
	}

	user := string(read(in, int(read(in, 2)[1])))
	password := string(read(in, int(read(in, 1)[0])))
	if user != s.config.Login || password != s.config.Password {
		_, _ = c.Write([]byte{1, 1})
		return false
	}
	_, err := c.Write([]byte{1, 0})

	return err == nil
}
