package api

import "time"

// What a check has tried: only to connect, so that a login may be wrong; the login, too; or a page through the proxy.
const (
	TestedConnection = "connection"
	TestedLogin      = "login"
	TestedPage       = "page"
)

// ProxyCheck is the result of a check of a proxy.
type ProxyCheck struct {
	Success bool `json:"success"`
	// Status says the same as Success. Clients of other products read it.
	Status bool `json:"status"`
	// IP and the place are known only with the setting proxy.check.
	IP       string `json:"ip"`
	Country  string `json:"country"`
	Region   string `json:"region"`
	City     string `json:"city"`
	Timezone string `json:"timezone"`
	// Tested says what a check that passed has tried: one of TestedConnection, TestedLogin and TestedPage.
	Tested string `json:"tested,omitempty"`
	// Latency is in milliseconds.
	Latency   int       `json:"latency"`
	CreatedAt time.Time `json:"createdAt"`
	// Error says what failed. Hint says how to learn more.
	Error string `json:"error,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// StoredProxy is a proxy that profiles refer to by its id.
type StoredProxy struct {
	ID          ProxyID `json:"id"`
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Host        string  `json:"host"`
	Port        int     `json:"port"`
	Login       string  `json:"login"`
	Password    string  `json:"password"`
	ChangeIPURL string  `json:"changeIpUrl"`
	// SavedByUser is false for a proxy that came with a profile. It goes with the last profile that uses it.
	SavedByUser bool `json:"savedByUser"`
	// LastCheck is null until the proxy is checked.
	LastCheck *ProxyCheck `json:"lastCheck"`
	// Profiles is how many profiles use the proxy, the trash included.
	Profiles int       `json:"browser_profiles_count"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
}

// StoredProxyInput describes a stored proxy. A field that is left out stays unchanged.
type StoredProxyInput struct {
	Type        *string `json:"type,omitempty"`
	Host        *string `json:"host,omitempty"`
	Port        *Number `json:"port,omitempty"`
	Login       *string `json:"login,omitempty"`
	Password    *string `json:"password,omitempty"`
	Name        *string `json:"name,omitempty"`
	ChangeIPURL *string `json:"changeIpUrl,omitempty"`
	// Proxy is a proxy as people paste it, in place of type, host, port, login and password.
	Proxy *string `json:"proxy,omitempty"`
}

// StoredProxyData is one stored proxy.
type StoredProxyData struct {
	Success bool        `json:"success"`
	ProxyID ProxyID     `json:"proxyId"`
	Data    StoredProxy `json:"data"`
	Ignored []string    `json:"ignored,omitzero"`
}

// StoredProxyList is one page of stored proxies.
type StoredProxyList struct {
	Data []StoredProxy `json:"data"`
	PageInfo
}

// ProxyLines are proxies as people paste them, one per line.
type ProxyLines struct {
	Text string `json:"text"`
}

// ProxiesImported is the answer to an import.
type ProxiesImported struct {
	Success bool `json:"success"`
	// IDs are those of all lines, in their order. Created of them are new; the others were stored already.
	IDs     []ProxyID `json:"ids"`
	Created int       `json:"created"`
	// Ignored names changeIpUrl if a proxy kept its own link: a profile with rules uses it.
	Ignored []string `json:"ignored,omitempty"`
}

// ProxyIDs names several stored proxies.
type ProxyIDs struct {
	IDs IDList `json:"ids,omitempty"`
}

// ProxyChecked is one line of the answer to a check of many proxies.
type ProxyChecked struct {
	ID ProxyID `json:"id"`
	// Done of Total proxies are checked, this one included.
	Done  int        `json:"done"`
	Total int        `json:"total"`
	Check ProxyCheck `json:"check"`
}
