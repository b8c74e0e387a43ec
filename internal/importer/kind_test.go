package importer

import (
	"fmt"
	"strings"
	"testing"
)

const someone = `{"data":[{"id":1,"name":"K1","folderId":31,"statusId":9,"proxy":null}]}`

func TestFoldersAndStatusesAreJudgedByTheirList(t *testing.T) {
	for name, c := range map[string]struct {
		files          []string
		folder, status string
	}{
		"no folder has a color": {[]string{"a.json", `[{"id":31,"name":"F"},{"id":9,"name":"G"}]`}, "F", ""},
		"every status has a color and deleted": {[]string{"a.json",
			`[{"id":31,"name":"F","color":"red","deleted":0},{"id":9,"name":"S","color":"red","deleted":0}]`}, "", "S"},
		"profiles refer to a folder": {[]string{"a.json", `{"data":[{"id":31,"name":"F","color":"red"}]}`}, "F", ""},
		"profiles refer to a status": {[]string{"a.json", `{"data":[{"id":9,"name":"S","color":"red"}]}`}, "", "S"},
		"fields that Cove does not know": {[]string{"a.json",
			`{"data":[{"id":31,"name":"F","color":"red","profileIds":[1],"parent":null}]}`}, "F", ""},
		"the name of the file": {[]string{"My Folders.json", `[{"id":31,"name":"F","color":"red"},{"id":9,"name":"G","color":"red"}]`,
			"dir/statuses 2.json", `[{"id":31,"name":"R","color":"red"},{"id":9,"name":"S","color":"red"}]`}, "F", "S"},
		"two lists in one file": {[]string{"a.json", `{"data":[{"id":31,"name":"F","color":"red"}]}` +
			`{"data":[{"id":9,"name":"S","color":"red"}]}`}, "F", "S"},
		"nobody refers to it": {[]string{"a.json", `[{"id":5,"name":"F","color":"red"}]`}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := works(t, Dolphin, append(c.files, "l.json", someone)...)
			if len(p.Profiles) != 1 || p.Profiles[0].Folder != c.folder || p.Profiles[0].Status.Name != c.status {
				t.Errorf("got %+v", p.Profiles)
			}
		})
	}
}

func TestAnItemIsNeverReadAsSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		product Product
		files   []string
		want    string
	}{
		"folders or statuses": {Dolphin, []string{"l.json", someone, "a.json",
			`{"data":[{"id":31,"name":"My folder","color":"red","icon":"x"},{"id":9,"name":"Nine folder","color":"red"}]}`},
			"a.json, item 1: These are folders or statuses, and Cove cannot tell which."},
		"a profile without a word about its proxy": {Dolphin, []string{"l.json", `[{"id":1,"name":"A","tags":[]}]`},
			"l.json, item 1: The profile does not say which proxy it uses."},
		"a name alone": {Dolphin, []string{"l.json", `[{"name":"A"}]`}, "l.json, item 1: The item is neither"},
		"other fields": {Dolphin, []string{"l.json", `[{"name":"A","hello":1}]`}, "l.json, item 1: The item is neither"},
		"a login of a site": {Dolphin, []string{"l.json", someone, "m.json", `[{"id":2,"name":"B","login":"me"}]`},
			"m.json, item 1: The profile does not say which proxy it uses."},
		"AdsPower's profiles": {Dolphin, []string{"l.json", `[{"user_id":"k","name":"B","ip":"","user_proxy_config":{"proxy_soft":"other"}}]`},
			"l.json, item 1: The profile does not say which proxy it uses."},
		"AdsPower: both at once": {AdsPower, []string{"l.json", `[{"profile_no":"1","name":"A","host":"h.example","port":1}]`},
			"l.json, item 1: The item is neither"},
		"both at once":   {Dolphin, []string{"l.json", `[{"name":"A","host":"h.example","port":1,"browserType":"anty"}]`}, "l.json, item 1: The item is neither"},
		"a proxy's type": {Dolphin, []string{"l.json", `[{"name":"A","proxyId":7,"proxy":{"type":"none","host":""}}]`}, "names two proxies"},
		"none and an id": {Dolphin, []string{"l.json", `[{"name":"A","proxy":{"id":7,"type":"none"}}]`}, "names two proxies"},
		"none and a login": {Dolphin, []string{"l.json", `[{"name":"A","proxy":{"type":"none","port":80,"login":"u"}}]`},
			"item 1: The proxy needs a type"},
		"an id that is an object": {Dolphin, []string{"l.json", `[{"name":"A","proxyId":{"id":7}}]`}, "The field proxyId cannot be read"},
		"an id that is a flag":    {Dolphin, []string{"l.json", `[{"name":"A","proxy_id":true,"proxy":null}]`}, "The field proxy_id cannot be read"},
		"two ids":                 {Dolphin, []string{"l.json", `[{"name":"A","proxyId":7,"proxy_id":8}]`}, "names two proxies"},
		"an unknown field":        {Dolphin, []string{"l.json", `[{"name":"A","proxy":null,"proxyUrl":"http://h.example:1"}]`}, `The field "proxyUrl" is about a proxy`},
		"an unknown field of AdsPower's": {AdsPower, []string{"l.json",
			`[{"user_id":"k","user_proxy_config":{"proxy_soft":"no_proxy"},"my_proxy_host":"h.example"}]`}, `The field "my_proxy_host" is about a proxy`},
		"AdsPower: none and an id": {AdsPower, []string{"l.json",
			`[{"user_id":"k","fbcc_proxy_acc_id":"9","user_proxy_config":{"proxy_soft":"no_proxy"}}]`}, "names two proxies"},
		"one id for two proxies": {Dolphin, []string{"l.json", `[{"name":"A","proxyId":7}]`,
			"p.json", `[{"id":7,"type":"http","host":"h.example","port":1}]`, "q.json", `[{"id":7,"type":"http","host":"i.example","port":1}]`},
			"q.json, item 1: Proxy 7 is another one in p.json, item 1."},
		"one id for two folders": {Dolphin, []string{"l.json", someone,
			"a.json", `[{"id":31,"name":"F"}]`, "b.json", `[{"id":31,"name":"G"}]`}, "b.json, item 1: Folder 31 is another one in a.json, item 1."},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(c.product, c.files...)
			if text := fmt.Sprintln(p.Problems); !strings.Contains(text, c.want) || len(p.Problems) != 1 {
				t.Errorf("got %s", text)
			}
			for _, one := range p.Problems {
				if one.Hint == "" {
					t.Errorf("no next step: %s", one)
				}
			}
		})
	}
}

func TestAFolderMayHaveANumberAsItsName(t *testing.T) {
	const folders = `[{"id":2024,"name":"Other"},{"id":31,"name":"2025"}]`
	for raw, want := range map[string]string{
		`"folder":"2024"`: "2024", `"folder":{"id":31,"name":"2024"}`: "2024", `"folderName":2024`: "2024",
		`"folder":31`: "2025", `"folderId":"2024"`: "Other", `"folder_id":{"id":31}`: "2025", `"folder":0`: "", `"folder":null`: "",
	} {
		p := works(t, Dolphin, "l.json", `[{"id":1,"name":"A","proxy":null,`+raw+`}]`, "f.json", folders)
		if p.Profiles[0].Folder != want {
			t.Errorf("%s: got %q", raw, p.Profiles[0].Folder)
		}
	}
}

func TestAListThatNobodyRefersToIsNamed(t *testing.T) {
	p := works(t, Dolphin, "l.json", someone, "a.json", `[{"id":5,"name":"F","color":"red"}]`,
		"folders.json", `[{"id":6,"name":"G"}]`)
	if len(p.Warnings) != 1 || p.Warnings[0] != "No profile is in the folders or has the statuses of a.json." {
		t.Errorf("got %q", p.Warnings)
	}
}
