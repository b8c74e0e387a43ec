package keeper

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"cove/internal/paths"
	"cove/internal/relay"
)

// ownPorts knows which ports of this computer are Cove's own, so that no page reaches them: those of the app, which may
// start and end while the keeper runs, and that of the profile's gate. The relay and the rules for sites ask it from
// any goroutine.
type ownPorts struct {
	home paths.Home   // its file app.json names the ports of the app
	gate atomic.Int32 // 0 until the gate is open
}

// list returns the ports that are open now.
func (o *ownPorts) list() (ports []int) {
	if g := o.gate.Load(); g != 0 {
		ports = append(ports, int(g))
	}
	api, others := o.app()
	if api != 0 {
		ports = append(ports, api)
	}
	return append(ports, others...)
}

// app returns the port of the app's window and API, 0 while no app is running, and its other ports.
func (o *ownPorts) app() (api int, others []int) {
	var file struct {
		API    int   `json:"api_port"`
		Others []int `json:"own_ports"`
	}
	raw, err := os.ReadFile(o.home.AppFile())
	if err != nil || json.Unmarshal(raw, &file) != nil {
		return 0, nil
	}
	return file.API, file.Others
}

// requestURL returns the address of the page of a request; "" while no app is running.
func (o *ownPorts) requestURL(name, key string) string {
	port, _ := o.app()
	if port == 0 {
		return ""
	}
	return "http://127.0.0.1:" + strconv.Itoa(port) + "/ask/" + name + "#" + key
}

// contains reports whether a port is one of Cove's own.
func (o *ownPorts) contains(port int) bool { return slices.Contains(o.list(), port) }

// serves reports whether an address is of Cove's window or API, or cannot be read. In the person's browser the window
// may be signed in: whoever uses it there is the person.
func (o *ownPorts) serves(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return true
	}
	if !relay.MeansThisComputer(strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")) {
		return false
	}
	port, err := strconv.Atoi(u.Port())
	return err == nil && o.contains(port)
}

// expression returns an alternative for each port, for the expression of closed origins.
func (o *ownPorts) expression() (alternatives string) {
	for _, port := range o.list() {
		alternatives += `|:` + strconv.Itoa(port) + `$`
	}
	return alternatives
}
