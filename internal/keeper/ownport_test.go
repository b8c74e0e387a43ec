package keeper

import (
	"os"
	"testing"

	"cove/internal/paths"
)

func TestPagesAreKeptFromEveryPortOfTheApp(t *testing.T) {
	home := paths.Home(t.TempDir())
	ports := &ownPorts{home: home}
	if ports.contains(3001) {
		t.Error("a port is ours although there is no app")
	}
	ports.gate.Store(40000)
	if err := os.WriteFile(home.AppFile(), []byte(`{"api_port":3001,"own_ports":[50325,50326]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for port, want := range map[int]bool{3001: true, 50325: true, 50326: true, 40000: true, 50327: false, 80: false} {
		if ports.contains(port) != want {
			t.Errorf("port %d: got %v", port, !want)
		}
	}
}

func TestAddressesOfCoveAreRecognized(t *testing.T) {
	home := paths.Home(t.TempDir())
	if err := os.WriteFile(home.AppFile(), []byte(`{"api_port":3001}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ports := &ownPorts{home: home}
	for address, want := range map[string]bool{
		"http://127.0.0.1:3001/profiles": true,
		"http://LOCALHOST.:3001/":        true,
		"\thttp://[::1]:3001/":           true,
		"http://127.0.0.1:%zz":           true, // it cannot be read
		"http://127.0.0.1:3002/":         false,
		"http://127.0.0.1/":              false,
		"https://example.com:3001/":      false,
	} {
		if ports.serves(address) != want {
			t.Errorf("%s: got %v", address, !want)
		}
	}
}
