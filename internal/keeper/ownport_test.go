package keeper

import (
	"os"
	"testing"

	"cove/internal/keeperclient"
	"cove/internal/paths"
)

func TestPagesAreKeptFromEveryPortOfTheApp(t *testing.T) {
	home := paths.Home(t.TempDir())
	k := &keeper{spec: keeperclient.Spec{Dir: home.Profile(1)}}
	if k.isOwnPort(3001) {
		t.Error("a port is ours although there is no app")
	}
	k.gatePort.Store(40000)
	if err := os.WriteFile(home.AppFile(), []byte(`{"api_port":3001,"own_ports":[50325,50326]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for port, want := range map[int]bool{3001: true, 50325: true, 50326: true, 40000: true, 50327: false, 80: false} {
		if k.isOwnPort(port) != want {
			t.Errorf("port %d: got %v", port, !want)
		}
	}
}
