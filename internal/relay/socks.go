package relay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"time"

	"cove/internal/policy/site"
)

// The parts of SOCKS 5 that a browser uses.
const (
	socksVersion  = 5
	socksConnect  = 1
	socksGranted  = 0
	socksForbids  = 2
	socksNoHost   = 4
	socksNoMethod = 0xff
)

// serveSocks accepts connections until the relay closes.
func (r *Relay) serveSocks() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			select {
			case <-r.ctx.Done():
				return
			case <-time.After(10 * time.Millisecond): // as with too many open files
				continue
			}
		}
		go r.socks(c)
	}
}

// socks serves one SOCKS connection.
func (r *Relay) socks(c net.Conn) {
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(readLimit))
	in := bufio.NewReaderSize(c, 4<<10)
	o, err := readSocks(c, in)
	if err != nil {
		return
	}
	_ = c.SetDeadline(time.Time{})
	answer := func(code byte) error {
		_, err := c.Write([]byte{socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0})
		return err
	}
	t := &tunnel{relay: r, origin: o}
	t.accept = func() error {
		t.down, t.in = c, in
		return answer(socksGranted)
	}
	refuse := func(refused error) {
		if o.Port == 443 { // encrypted: the browser could not read a page about it
			_ = answer(socksForbids)
			return
		}
		if t.accept() == nil {
			t.respondRefusal(refused)
		}
	}
	t.reject = func(err error, _ string) {
		if stopped := (*refusal)(nil); errors.As(err, &stopped) {
			refuse(stopped)
			return
		}
		_ = answer(socksNoHost)
	}

	refused, either := r.judge(o)
	if refused != nil && !either {
		r.recordRefusal(o, refused)
		refuse(refused)
		return
	}
	t.detect = either
	t.run(r.ctx)
}

var errSocks = errors.New("not a SOCKS 5 connection")

// readSocks reads the handshake and returns the origin that the browser wants to reach.
func readSocks(c net.Conn, in *bufio.Reader) (site.Origin, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:2]); err != nil || head[0] != socksVersion {
		return site.Origin{}, errSocks
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(in, methods); err != nil {
		return site.Origin{}, err
	}
	method := byte(socksNoMethod)
	for _, m := range methods {
		if m == 0 {
			method = 0
		}
	}
	if _, err := c.Write([]byte{socksVersion, method}); err != nil || method != 0 {
		return site.Origin{}, errSocks
	}
	if _, err := io.ReadFull(in, head[:]); err != nil || head[0] != socksVersion || head[1] != socksConnect {
		return site.Origin{}, errSocks
	}
	host, err := readHost(in, head[3])
	if err != nil {
		return site.Origin{}, err
	}
	var port uint16
	if err := binary.Read(in, binary.BigEndian, &port); err != nil {
		return site.Origin{}, err
	}
	o, ok := site.OriginOfHost(net.JoinHostPort(host, strconv.Itoa(int(port))))
	if !ok {
		return o, errSocks
	}
	return o, nil
}

func readHost(in *bufio.Reader, kind byte) (string, error) {
	var size int
	switch kind {
	case 1:
		size = 4
	case 4:
		size = 16
	case 3:
		n, err := in.ReadByte()
		if err != nil {
			return "", err
		}
		size = int(n)
	default:
		return "", errSocks
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(in, raw); err != nil {
		return "", err
	}
	if kind == 3 {
		return string(raw), nil
	}
	ip, _ := netip.AddrFromSlice(raw)
	return ip.Unmap().String(), nil
}
