package machine

import (
	"context"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Ports opens and closes the port of AdsPower's API.
type Ports interface {
	// Open moves the API to a port; 0 closes it. If the port cannot be had, nothing changes.
	Open(ctx context.Context, port int) error
	// State returns the open port, 0 for none, and why the port of the settings is not open.
	State() (port int, problem error)
}

// The settings of AdsPower's API.
const (
	adsPowerPort = "adspower.port"
	adsPowerKey  = "adspower.key"
)

// isOff reports whether a value of adspower.port means that there is no port.
func isOff(v string) bool { return v == "" || v == "0" || strings.EqualFold(v, "off") }

func checkAdsPowerPort(v string) error {
	if isOff(v) {
		return nil
	}
	return checkPort(v)
}

func checkAdsPowerKey(v string) error {
	switch strings.ToLower(v) {
	case "", "required", "off":
		return nil
	}
	return fault.Invalidf("%q is neither required nor off.", v)
}

// setAdsPowerPort opens the port before it stores the setting, so that whoever sets it learns that it is taken.
func (m *Machine) setAdsPowerPort(ctx context.Context, value, about string) (api.Setting, error) {
	if isOff(value) {
		value = ""
	}
	before, err := m.AdsPowerPort(ctx)
	if err != nil {
		return api.Setting{}, err
	}
	port, _ := strconv.Atoi(value)
	if err := m.Ports.Open(ctx, port); err != nil {
		return api.Setting{}, err
	}
	if err := m.Store.SetSetting(ctx, adsPowerPort, value); err != nil {
		_ = m.Ports.Open(context.WithoutCancel(ctx), before)
		return api.Setting{}, err
	}
	return api.Setting{Key: adsPowerPort, Value: value, About: about}, nil
}

// AdsPowerPort returns the port that the settings name for AdsPower's API, 0 for none.
func (m *Machine) AdsPowerPort(ctx context.Context) (int, error) {
	v, err := m.Store.Setting(ctx, adsPowerPort)
	if err != nil || isOff(v) {
		return 0, err
	}
	return strconv.Atoi(v)
}

// AdsPower returns the open port of AdsPower's API, 0 for none, and why the port of the settings is not open.
func (m *Machine) AdsPower() (port int, problem string) {
	port, err := m.Ports.State()
	if err != nil {
		problem = fault.From(err).Text
	}
	return port, problem
}

// KeyRequired reports whether AdsPower scripts need a key for more than the status.
func (m *Machine) KeyRequired(ctx context.Context) (bool, error) {
	v, err := m.Store.Setting(ctx, adsPowerKey)
	return !strings.EqualFold(v, "off"), err
}

// Driver returns the path of a chromedriver that fits the browser of a profile, or "".
func (m *Machine) Driver(ctx context.Context, p profile.Profile) string {
	preferred, _, err := m.Preferred(ctx)
	if err != nil {
		return ""
	}
	b, err := chromium.Find(ctx, p.Browser, preferred)
	if err != nil {
		return ""
	}
	return chromium.FindDriver(ctx, b)
}

// checkAdsPower says where AdsPower's API answers. There is no finding while it is off.
func (m *Machine) checkAdsPower() []api.Finding {
	port, err := m.Ports.State()
	if port == 0 && err == nil {
		return nil
	}
	return []api.Finding{finding("adspower", "AdsPower's API answers at http://127.0.0.1:"+strconv.Itoa(port), err)}
}
