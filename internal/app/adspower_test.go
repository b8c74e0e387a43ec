//go:build unix

package app

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/fault"
)

// set changes a setting.
func (r *running) set(key, value string) error {
	return r.Do(r.t.Context(), http.MethodPut, "/settings/"+key, api.Setting{Value: value}, nil)
}

// ads asks AdsPower's API for its status. It returns "" when nobody answers.
func (r *running) ads(port int) string {
	r.t.Helper()
	for _, host := range []string{"127.0.0.1", "[::1]"} {
		address := fmt.Sprintf("http://%s:%d/status", host, port)
		req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, address, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			return ""
		}
		raw, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if host == "[::1]" || !hasIPv6() {
			return string(raw)
		}
	}
	return ""
}

func hasIPv6() bool {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp6", "[::1]:0")
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}

const adsStatus = `{"code":0,"msg":"success"}` + "\n"

// ownPorts are the ports that keepers keep pages from.
func (r *running) ownPorts() []int {
	r.t.Helper()
	f, err := ReadFile(r.home)
	if err != nil {
		r.t.Fatal(err)
	}
	return f.OwnPorts
}

func TestThePortForAdsPowerScriptsFollowsItsSetting(t *testing.T) {
	c := newConfig(t, newHome(t))
	r := run(t, c)
	first, second, taken := freePort(t), freePort(t), freePort(t)
	if status, err := r.Status(t.Context()); err != nil || status.AdsPowerPort != 0 || r.ads(first) != "" {
		t.Errorf("before it is set: %+v, %v", status, err)
	}

	if err := r.set("adspower.port", strconv.Itoa(first)); err != nil {
		t.Fatal(err)
	}
	if got := r.ads(first); got != adsStatus || !slices.Equal(r.ownPorts(), []int{first}) {
		t.Errorf("the port answers %q, app.json names %v", got, r.ownPorts())
	}
	status, err := r.Status(t.Context())
	if err != nil || status.AdsPowerPort != first || status.AdsPowerProblem != "" {
		t.Errorf("the status is %+v, %v", status, err)
	}
	if err := r.set("adspower.port", strconv.Itoa(second)); err != nil {
		t.Fatal(err)
	}
	if r.ads(first) != "" || r.ads(second) != adsStatus || !slices.Equal(r.ownPorts(), []int{second}) {
		t.Errorf("after the change: %q, %q, app.json names %v", r.ads(first), r.ads(second), r.ownPorts())
	}

	other, err := listenLoopback(t.Context(), taken)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, l := range other {
			_ = l.Close()
		}
	}()
	for _, port := range []int{taken, c.Port} {
		if err := r.set("adspower.port", strconv.Itoa(port)); codeOf(err) != string(fault.CodePortTaken) ||
			!strings.Contains(err.Error(), strconv.Itoa(port)) {
			t.Errorf("a port that is taken: %v", err)
		}
	}
	for _, wrong := range []string{"70000", "x", "-1"} {
		if err := r.set("adspower.port", wrong); codeOf(err) != string(fault.CodeInvalid) {
			t.Errorf("the port %s: %v", wrong, err)
		}
	}
	if r.ads(second) != adsStatus || !slices.Equal(r.ownPorts(), []int{second}) {
		t.Errorf("after the refusals: %q, app.json names %v", r.ads(second), r.ownPorts())
	}
	if err := r.set("adspower.port", "off"); err != nil || r.ads(second) != "" || r.ownPorts() != nil {
		t.Errorf("off: %v, %q, app.json names %v", err, r.ads(second), r.ownPorts())
	}
}

func TestThePortForAdsPowerScriptsIsOpenAfterARestartOrTheDoctorSaysWhyNot(t *testing.T) {
	c := newConfig(t, newHome(t))
	port := freePort(t)
	r := run(t, c)
	if err := r.set("adspower.port", strconv.Itoa(port)); err != nil {
		t.Fatal(err)
	}
	r.end()
	r = run(t, c)
	if r.ads(port) != adsStatus {
		t.Error("the port is not open after a restart")
	}
	r.end()

	other, err := listenLoopback(t.Context(), port)
	if err != nil {
		t.Fatal(err)
	}
	r = run(t, c)
	status, err := r.Status(t.Context())
	if err != nil || status.AdsPowerPort != 0 || !strings.Contains(status.AdsPowerProblem, strconv.Itoa(port)) {
		t.Errorf("with the port taken the status is %+v, %v", status, err)
	}
	var found api.Findings
	if err := r.Do(t.Context(), http.MethodGet, "/doctor", nil, &found); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(found.Data, func(f api.Finding) bool { return f.Name == "adspower" })
	if i < 0 || found.Data[i].OK || !strings.Contains(found.Data[i].Hint, "cove config set adspower.port") {
		t.Errorf("the doctor finds %+v", found.Data)
	}
	for _, l := range other {
		_ = l.Close()
	}
	if err := r.set("adspower.port", strconv.Itoa(port)); err != nil || r.ads(port) != adsStatus {
		t.Errorf("set again: %v", err)
	}
}

func TestTheKeyOfAdsPowerScriptsIsASetting(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	port := freePort(t)
	if err := r.set("adspower.port", strconv.Itoa(port)); err != nil {
		t.Fatal(err)
	}
	active := func() string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			fmt.Sprintf("http://127.0.0.1:%d/api/v1/browser/active?user_id=1", port), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		raw, _ := io.ReadAll(answer.Body)
		return string(raw)
	}
	for _, value := range []string{"", "off", "required"} {
		if err := r.set("adspower.key", value); err != nil {
			t.Fatal(err)
		}
		if refused := strings.Contains(active(), "Require api-key"); refused == (value == "off") {
			t.Errorf("with %q the answer is %s", value, active())
		}
	}
	if err := r.set("adspower.key", "none"); codeOf(err) != string(fault.CodeInvalid) {
		t.Errorf("another value: %v", err)
	}
}
