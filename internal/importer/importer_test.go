package importer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"cove/internal/proxy"
)

var now = time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)

func read(product Product, files ...string) Plan {
	var all []File
	for i := 0; i+1 < len(files); i += 2 {
		all = append(all, File{files[i], []byte(files[i+1])})
	}
	return Read(product, all, now)
}

// works reads files that have no problems.
func works(t *testing.T, product Product, files ...string) Plan {
	t.Helper()
	p := read(product, files...)
	if len(p.Problems) > 0 {
		t.Fatalf("problems: %v", p.Problems)
	}
	return p
}

const dolphinPage = `{"current_page":1,"data":[{"id":12,"name":"Shop","tags":["a","b"],"running":false,
 "notes":{"content":"<b>n</b>","color":"blue","style":"text","icon":null},"folder":3,"tabs":["https://a.example"],"args":["--mute-audio"],
 "proxyId":7,"proxy":{"id":7,"name":"DE 1","type":"socks5","host":"p.example","port":"1080","login":"u","password":" p:1","changeIpUrl":"https://c.example/x","lastCheck":{"status":true}},
 "status":{"id":2,"name":"Ready","color":"green"},"platform":"windows","browserType":"anty","mainWebsite":"","canvas":{"mode":"noise"},
 "locale":{"mode":"manual","value":"de-DE"},"timezone":{"mode":"auto","value":"Europe/Berlin"},"created_at":"2024-01-01","login":"me@site.example","password":"sitepw"},
 {"id":13,"name":"Plain","tags":[],"notes":null,"proxyId":null,"folder":null}],
 "last_page":2,"per_page":2,"total":3,"next_page_url":"http://x/?page=2"}`

func TestAPageOfDolphinsProfiles(t *testing.T) {
	folders := `{"data":[{"id":3,"name":"Shops","profilesCount":1}],"total":1}`
	p := works(t, Dolphin, "page1.json", dolphinPage, "folders.json", folders)
	if len(p.Profiles) != 2 {
		t.Fatalf("%d profiles", len(p.Profiles))
	}
	a, b := p.Profiles[0], p.Profiles[1]
	want := proxy.Proxy{Type: "socks5", Host: "p.example", Port: 1080, Login: "u", Password: " p:1"}
	if a.SourceID != "12" || a.Name != "Shop" || !slices.Equal(a.Tags, []string{"a", "b"}) || a.Notes != "<b>n</b>" ||
		a.Folder != "Shops" || a.Status.Name != "Ready" || a.Status.Color != "green" || a.Proxy != want ||
		!slices.Equal(a.StartPages, []string{"https://a.example"}) || a.Locale != "de-DE" || a.Timezone != "" ||
		!slices.Equal(a.Args, []string{"--mute-audio"}) || a.Place.String() != "page1.json, item 1" {
		t.Errorf("got %+v", a)
	}
	if b.Name != "Plain" || b.Proxy.Set() || b.Folder != "" || b.Status.Name != "" {
		t.Errorf("got %+v", b)
	}
	if len(p.Proxies) != 1 || p.Proxies[0].Name != "DE 1" || p.Proxies[0].ChangeIPURL != "https://c.example/x" {
		t.Errorf("proxies %+v", p.Proxies)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "has 3 profiles, and the files have 2") {
		t.Errorf("warnings %v", p.Warnings)
	}
	raw, _ := json.Marshal(p.Left)
	for _, part := range []string{`"login","password"`, `"browserType","canvas","platform"`, fingerprints, logins} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("%s is not in %s", part, raw)
		}
	}
	if strings.Contains(string(raw), "sitepw") {
		t.Errorf("a password is in %s", raw)
	}
}

func TestListsHaveManyShapes(t *testing.T) {
	const one = `{"id":1,"name":"A","proxyId":null}`
	const ads = `{"user_id":"k1","serial_number":"1","name":"A","user_proxy_config":{"proxy_soft":"no_proxy"}}`
	for name, c := range map[string]struct {
		product Product
		text    string
	}{
		"Dolphin: one profile":          {Dolphin, one},
		"Dolphin: one profile in data":  {Dolphin, `{"data":` + one + `}`},
		"Dolphin: a bare list":          {Dolphin, `[` + one + `]`},
		"Dolphin: an answer to create":  {Dolphin, `{"success":true,"browserProfileId":1,"data":` + one + `}`},
		"Dolphin: a byte order mark":    {Dolphin, "\ufeff \n[" + one + `]`},
		"Dolphin: a table":              {Dolphin, "name;tags\nA;b\n"},
		"AdsPower: version 1 and 2":     {AdsPower, `{"code":0,"msg":"Success","data":{"list":[` + ads + `],"page":1,"page_size":50}}`},
		"AdsPower: the list alone":      {AdsPower, `{"list":[` + ads + `]}`},
		"AdsPower: a bare list":         {AdsPower, `[` + ads + `]`},
		"AdsPower: one profile":         {AdsPower, ads},
		"AdsPower: a table of tabs":     {AdsPower, "acc_id\tname\tproxytype\nk1\tA\tnoproxy\n"},
		"a table with CRLF":             {CSV, "Profile Name,Tags\r\nA,b\r\n\r\n,\r\n"},
		"a table with quoted semicolon": {CSV, "name;\"a;b;c\"\nA;\n"},
		"a table in UTF-16":             {CSV, utf16File("name,notes\nA,ü\n")},
	} {
		t.Run(name, func(t *testing.T) {
			p := works(t, c.product, "f", c.text)
			if len(p.Profiles) != 1 || p.Profiles[0].Name != "A" || p.Profiles[0].Proxy.Set() {
				t.Errorf("got %+v", p.Profiles)
			}
		})
	}
}

func utf16File(text string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func TestPagesInOneFileAreRead(t *testing.T) {
	p := works(t, Dolphin, "all.json", `{"data":[{"id":1,"name":"A","proxyId":0}]}`+"\n"+`{"data":[{"id":2,"name":"B","proxy":""}]}`)
	if len(p.Profiles) != 2 || p.Profiles[1].Place.Item != 2 {
		t.Errorf("got %+v", p.Profiles)
	}
}

func TestAnItemOfAdsPowers(t *testing.T) {
	p := works(t, AdsPower, "list.json", `{"code":0,"data":{"list":[{"user_id":"k12am9","serial_number":"7","name":"",
	 "group_id":"12","group_name":"Ads","domain_name":"shop.example","platform":"shop.example","username":"u","password":"p","fakey":"2fa",
	 "remark":"hello","created_time":"1690000000","ip":"1.2.3.4","ip_country":"de","sys_app_cate_id":"0","fbcc_proxy_acc_id":"0",
	 "tags":[{"id":"1","name":"vip"}],"open_urls":["https://b.example"],"cookie":"[{\"name\":\"c\",\"value\":\"v\",\"domain\":\".shop.example\"}]",
	 "user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"h.example","proxy_port":"8080","proxy_user":"u","proxy_password":"p","proxy_url":"https://c.example","latest_ip":""},
	 "fingerprint_config":{"ua":"x"}}]}}`)
	a := p.Profiles[0]
	if a.Name != "Profile 7" || a.SourceID != "k12am9" || a.Folder != "Ads" || a.Notes != "hello" ||
		a.Proxy != (proxy.Proxy{Type: "http", Host: "h.example", Port: 8080, Login: "u", Password: "p"}) ||
		!slices.Equal(a.StartPages, []string{"https://b.example", "https://shop.example"}) ||
		!slices.Equal(a.Tags, []string{"vip"}) || a.Cookies.Count != 1 || p.Proxies[0].ChangeIPURL != "https://c.example" {
		t.Errorf("got %+v", a)
	}
	if len(p.Left) != 2 || p.Left[0].What != logins || p.Left[0].Times != 3 || p.Left[1].What != fingerprints {
		t.Errorf("left %+v", p.Left)
	}
}

func TestProxiesOfTables(t *testing.T) {
	direct := proxy.Proxy{}
	full := proxy.Proxy{Type: "socks5", Host: "h.example", Port: 1, Login: "u", Password: "p"}
	for text, want := range map[string]proxy.Proxy{
		"name,proxy\nA,\n":     direct,
		"name,proxy\nA,none\n": direct,
		"name\nA\n":            direct,
		"name,proxy\nA,socks5://u:p@h.example:1\n":                                                     full,
		"name,Proxy Type,proxy\nA,socks5,h.example:1:u:p\n":                                            full,
		"name,proxytype,proxy\nA,SOCKS5,socks5://u:p@h.example:1\n":                                    full,
		"name,proxy_type,proxy host,Proxy-Port,proxy login,proxy password\nA,socks5,h.example,1,u,p\n": full,
		"name,type,host,port,login,password\nA,socks5,h.example,1,u,p\n":                               full,
		"name,proxy,proxy host,proxy port\nA,socks5:h.example:1:u:p,h.example,1\n":                     full,
	} {
		p := works(t, CSV, "f.csv", text)
		if len(p.Profiles) != 1 || p.Profiles[0].Proxy != want {
			t.Errorf("%q: got %+v", text, p.Profiles)
		}
	}
	p := works(t, CSV, "f.csv", "name,login,password\nA,me,secret\n")
	if p.Profiles[0].Proxy.Set() || len(p.Left) != 1 || p.Left[0].What != logins {
		t.Errorf("got %+v, left %+v", p.Profiles[0], p.Left)
	}
	p = works(t, AdsPower, "f.csv", "id,name,proxytype,proxy,proxyurl\n1,A,http,h.example:1,https://c.example\n")
	if len(p.Proxies) != 1 || p.Proxies[0].ChangeIPURL != "https://c.example" {
		t.Errorf("got %+v", p.Proxies)
	}
}

func TestAProxyOfAnotherFileIsFound(t *testing.T) {
	const profile = `[{"id":1,"name":"A","tags":[],"proxyId":7},{"id":2,"name":"B","tags":[],"proxy":{"id":7}},{"id":3,"name":"C","proxy":"7","tags":[]}]`
	const list = `{"data":[{"id":7,"name":"x","type":"http","host":"h.example","port":80,"login":"","password":""}],"total":1}`
	p := works(t, Dolphin, "profiles.json", profile, "proxies.json", list)
	for _, one := range p.Profiles {
		if one.Proxy.Host != "h.example" {
			t.Errorf("got %+v", one)
		}
	}
	if len(p.Proxies) != 1 {
		t.Errorf("proxies %+v", p.Proxies)
	}
	p = works(t, AdsPower, "l.json", `[{"user_id":"k","name":"A","fbcc_proxy_acc_id":"9"}]`,
		"p.json", `{"code":0,"data":{"list":[{"proxy_id":"9","type":"socks5","host":"h.example","port":"1","user":"u","password":"p","remark":"r"}]}}`)
	if p.Profiles[0].Proxy.Login != "u" || p.Proxies[0].Name != "r" {
		t.Errorf("got %+v", p.Profiles[0])
	}
}

func TestCookieFilesGoToTheProfileOfTheirName(t *testing.T) {
	const list = `[{"id":12,"name":"Shop","proxy":null},{"id":13,"name":"Work","proxy":null}]`
	const jar = `[{"name":"c","value":"v","domain":"a.example"},{"name":"old","value":"v","domain":"a.example","expirationDate":5}]`
	p := works(t, Dolphin, "l.json", list, "dir/12.json", jar, "Work.txt", "# Netscape HTTP Cookie File\na.example\tFALSE\t/\tTRUE\t0\tn\tv\n")
	if c := p.Profiles[0].Cookies; c.Count != 1 || c.Expired != 1 || c.Text != jar {
		t.Errorf("got %+v", c)
	}
	if c := p.Profiles[1].Cookies; c.Count != 1 {
		t.Errorf("got %+v", c)
	}
	if n, of := p.Cookies(); n != 2 || of != 2 {
		t.Errorf("%d cookies of %d", n, of)
	}
	p = works(t, Dolphin, "l.json", list, "Shop.json", `{"cookies":`+jar+`,"origins":[]}`)
	if p.Profiles[0].Cookies.Count != 1 {
		t.Errorf("a storageState: %+v", p.Profiles[0].Cookies)
	}
	p = works(t, AdsPower, "l.json", `[{"user_id":"k1","name":"A","user_proxy_config":{"proxy_soft":"no_proxy"}}]`, "k1.json",
		`{"code":0,"data":{"cookies":"[{\"name\":\"c\",\"value\":\"v\",\"domain\":\"a.example\"}]"}}`)
	if p.Profiles[0].Cookies.Count != 1 {
		t.Errorf("an answer of AdsPower's: %+v", p.Profiles[0].Cookies)
	}
	p = works(t, CSV, "l.csv", "name,cookies\nA,\"[{\"\"name\"\":\"\"c\"\",\"\"value\"\":\"\"v\"\",\"\"domain\"\":\"\"a.example\"\"}]\"\nB,\"a.example\tFALSE\t/\tTRUE\t0\tn\tv\n\"\n")
	if p.Profiles[0].Cookies.Count != 1 || p.Profiles[1].Cookies.Count != 1 || p.Profiles[1].Place.Row != 3 {
		t.Errorf("in cells: %+v", p.Profiles)
	}
}

func TestWhatIsNotUnderstoodIsRefused(t *testing.T) {
	const secret = "hunter2"
	for name, c := range map[string]struct {
		product Product
		files   []string
		want    string
	}{
		"a proxy that is not in the files":   {Dolphin, []string{"l", `[{"id":1,"name":"A","tags":[],"proxyId":7}]`}, "l, item 1: The profile uses proxy 7"},
		"an empty proxy":                     {Dolphin, []string{"l", `[{"name":"A","proxy":{}}]`}, "l, item 1: The proxy cannot be read"},
		"a list as a proxy":                  {Dolphin, []string{"l", `[{"name":"A","proxy":[]}]`}, "The proxy cannot be read"},
		"proxy 0":                            {Dolphin, []string{"l", `[{"name":"A","proxy":0}]`}, "There is no proxy 0"},
		"a proxy without a host":             {Dolphin, []string{"l", `[{"name":"A","proxy":{"type":"http","port":1,"password":"hunter2"}}]`}, "needs a type, a host"},
		"an unknown type":                    {Dolphin, []string{"l", `[{"name":"A","proxy":{"type":"ssh","host":"h.example","port":1,"password":"hunter2"}}]`}, `Unknown proxy type "ssh"`},
		"two proxies":                        {Dolphin, []string{"l", `[{"name":"A","proxyId":8,"proxy":{"id":7,"type":"http","host":"h.example","port":1}}]`}, "names two proxies"},
		"a list that disagrees":              {Dolphin, []string{"l", `[{"name":"A","proxy":{"id":7,"type":"http","host":"h.example","port":1}},{"id":7,"type":"http","host":"h2.example","port":1}]`}, "another one in the list"},
		"a word for a proxy":                 {Dolphin, []string{"l", `[{"name":"A","proxy":"direct"}]`}, "item 1"},
		"a denied argument":                  {Dolphin, []string{"l", `[{"name":"A","args":["--proxy-server=x"]}]`}, "item 1"},
		"bad cookies":                        {Dolphin, []string{"l", `[{"name":"A","cookies":"a=hunter2"}]`}, "item 1"},
		"one bad item of two":                {Dolphin, []string{"l", `[{"name":"A"},5]`}, "item 2: The item is not an object"},
		"a broken file":                      {Dolphin, []string{"l", "[\n{\"name\":\"A\"},\n{\"na"}, "l, line 3: This is not valid JSON"},
		"a comma too many":                   {Dolphin, []string{"l", "{\"name\":\"A\"}\n[\n{\"name\":\"A\"},\n,]"}, "l, line 4: This is not valid JSON"},
		"an error of the API":                {Dolphin, []string{"l", `{"success":false,"error":"Not logged in"}`}, "error message of the API: Not logged in"},
		"the same profile twice":             {Dolphin, []string{"a", `[{"id":1,"name":"A","proxy":null},{"id":2,"name":"B","proxy":null}]`, "b", `[{"id":2,"name":"B","proxy":null}]`}, "b, item 1: Profile 2 is also in a, item 2"},
		"cookies of nobody":                  {Dolphin, []string{"x.json", `[{"domain":"a.example","name":"n","value":"hunter2"}]`}, `no profile in the files is named "x"`},
		"something else":                     {Dolphin, []string{"l", `[{"hello":1}]`}, "neither a profile nor a proxy"},
		"AdsPower without a proxy":           {AdsPower, []string{"l", `[{"user_id":"k","name":"A"}]`}, "does not say which proxy"},
		"AdsPower's own proxies":             {AdsPower, []string{"l", `[{"user_id":"k","user_proxy_config":{"proxy_soft":"922S5auth"}}]`}, "gets its proxy from"},
		"AdsPower's global settings":         {AdsPower, []string{"l", `[{"user_id":"k","user_proxy_config":{"proxy_soft":"other","global_config":"1"}}]`}, "global proxy"},
		"AdsPower's error":                   {AdsPower, []string{"l", `{"code":-1,"msg":"Require api-key","data":{}}`}, "Require api-key"},
		"a list in JSON without its product": {CSV, []string{"l", `[{"name":"A"}]`}, "only with the product"},
		"an Excel file":                      {CSV, []string{"l.xlsx", "PK\x03\x04abc"}, "l.xlsx: This is an Excel file"},
		"Latin-1":                            {CSV, []string{"l.csv", "name\n\xfc\n"}, "not UTF-8"},
		"an empty file":                      {CSV, []string{"l.csv", " \n"}, "empty"},
		"half of a UTF-16 file":              {CSV, []string{"l.csv", "\xff\xfen\x00a"}, "middle of a character"},
		"no name":                            {CSV, []string{"l.csv", "name,notes\nA,\n,x\n"}, "l.csv, line 3: The profile has no name"},
		"no header":                          {CSV, []string{"l.csv", "A,h.example:1\nB,h.example:2\n"}, "no column for the name"},
		"a row that is too short":            {CSV, []string{"l.csv", "name,proxy\nA\n"}, "l.csv, line 2: The row has more or fewer columns"},
		"open quotes":                        {CSV, []string{"l.csv", "name,proxy\nA,\"x\nB,y\n"}, "quotes"},
		"a proxy that cannot be read":        {CSV, []string{"l.csv", "name,proxy\nA,h.example:1\nB,hunter2\n"}, "l.csv, line 3: "},
		"half of a proxy":                    {CSV, []string{"l.csv", "name,proxy host,proxy password\nA,h.example,hunter2\n"}, "needs a type, a host and a port"},
		"a login without a host":             {CSV, []string{"l.csv", "name,proxy host,proxy password\nA,,hunter2\n"}, "The proxy has no host"},
		"two types":                          {CSV, []string{"l.csv", "name,proxy type,proxy\nA,http,socks5://h.example:1\n"}, "another one in its own column"},
		"a text and parts":                   {CSV, []string{"l.csv", "name,proxy host,proxy port,proxy\nA,other.example,1,h.example:1\n"}, "names two proxies"},
		"a column that nobody knows":         {CSV, []string{"l.csv", "name,proxy chain\nA,x\n"}, "is about a proxy"},
		"a stored proxy":                     {CSV, []string{"l.csv", "name,proxyid\nA,7\n"}, "uses proxy 7"},
		"two names":                          {CSV, []string{"l.csv", "name,title\nA,B\n"}, "two values for one thing"},
		"an unknown timezone":                {CSV, []string{"l.csv", "name,timezone\nA,Mars\n"}, "l.csv, line 2: Unknown timezone"},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(c.product, c.files...)
			text := fmt.Sprintln(p.Problems)
			if !strings.Contains(text, c.want) {
				t.Errorf("got %s", text)
			}
			if strings.Contains(text, secret) {
				t.Errorf("a secret is in %s", text)
			}
			for _, one := range p.Problems {
				if strings.Contains(one.Hint, secret) {
					t.Errorf("a secret is in %s", one.Hint)
				}
			}
		})
	}
}

func TestEveryProblemIsNamed(t *testing.T) {
	var b strings.Builder
	b.WriteString("name,proxy\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "p%d,h%d.example:%d\n", i, i, 1+i%60000)
	}
	table := b.String()
	if p := works(t, CSV, "l.csv", table); len(p.Profiles) != 1000 || p.Profiles[999].Proxy.Host != "h999.example" {
		t.Errorf("%d profiles", len(p.Profiles))
	}
	broken := strings.Replace(strings.Replace(table, "h500.example:501", "h500", 1), "h600.example:601", "?", 1)
	p := read(CSV, "l.csv", broken)
	if len(p.Problems) != 2 || p.Problems[0].Place.Row != 502 || p.Problems[1].Place.Row != 602 {
		t.Errorf("got %v", p.Problems)
	}
}

// FuzzRead: no file makes the reader fail, and every row that names a proxy gets one or is refused.
func FuzzRead(f *testing.F) {
	for _, text := range []string{dolphinPage, "name;proxy\nA;h.example:1:u:p\n", `{"code":0,"data":{"list":[]}}`, "[[]]",
		"name,proxy\n\"A\",\"socks5://u:p@h.example:1\"", utf16File("name\nA"), `{"data":{"data":{"name":"A","proxy":{"id":1}}}}`,
		`[{"user_id":"k","name":"A","user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"h","proxy_port":1}}]`} {
		for i := range 3 {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		product := []Product{Dolphin, AdsPower, CSV}[int(which)%3]
		p := read(product, "f", text)
		for _, one := range p.Profiles {
			if again := one.Profile; again.Clean() != nil || one.Name == "" {
				t.Errorf("a profile is not clean: %+v", one)
			}
		}
		seen := map[proxy.Proxy]bool{}
		for _, one := range p.Proxies {
			if one.Clean() != nil || seen[one.Proxy] {
				t.Errorf("a proxy is not clean: %+v", one)
			}
			seen[one.Proxy] = true
		}
		for _, one := range p.Problems {
			if one.Text == "" || one.Place.File == "" {
				t.Errorf("a problem without words: %+v", one)
			}
		}
	})
}
