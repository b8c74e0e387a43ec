package main

// errand is one task that people give to their agents. Each driver does it as its own guide teaches, with the fewest
// words: several commands in one line where nothing has to be read in between, and never a step on what was not read.
// <role name> stands for the ref of an element, </pattern/> for a group in what was read before.
type errand struct {
	name     string
	commands [drivers][]string
	saw      []string // what the site must have been asked to do, and nothing else
	want     []string // what the agent must have read to answer
	file     string   // a file that must hold invoiceText: a pattern in what was read
}

// first is how many of the errands are the five that the aim for tokens and calls is about.
const first = 5

// newest prints the snapshot that playwright-cli has written last: it prints only the name of the file.
const newest = " && cat $(ls -t .playwright-cli/*.yml | head -1)"

var errands = [...]errand{
	{
		name: "sign in",
		saw:  []string{"sign in ann@example.com hunter2"}, want: []string{"C-7731"},
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/login -s`,
				`cove page do 'fill <textbox Mail>=ann@example.com <textbox Password>=hunter2 --enter' 'find number'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/login" "snapshot -i"`,
				`agent-browser batch "fill <textbox Mail> ann@example.com" "fill <textbox Password> hunter2" ` +
					`"press Enter" "wait --url **/home" read`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/login` + newest,
				`playwright-cli --raw fill <textbox Mail> ann@example.com && ` +
					`playwright-cli --raw fill <textbox Password> hunter2 --submit && playwright-cli --raw find number`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/login"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`fill_form {"elements":[{"uid":"<textbox Mail>","value":"ann@example.com"},` +
					`{"uid":"<textbox Password>","value":"hunter2"}]}`,
				`press_key {"key":"Enter","includeSnapshot":true}`,
			},
		},
	},
	{
		name: "search, open a result that the person has named",
		saw:  []string{"item 5"}, want: []string{"In stock: 17"},
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/search -s`,
				`cove page do 'fill <searchbox Search>=lamp --enter' 'find Brass'`,
				`cove page do 'click <link Brass lamp>' 'find stock'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/search" "snapshot -i"`,
				`agent-browser batch "fill <searchbox Search> lamp" "press Enter" "wait --url **/results*" && ` +
					`agent-browser snapshot -i | grep Brass`,
				`agent-browser batch "click <link Brass lamp>" "wait --url **/item/*" read`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/search` + newest,
				`playwright-cli --raw fill <searchbox Search> lamp --submit && playwright-cli --raw find Brass`,
				`playwright-cli --raw click <link Brass lamp> && playwright-cli --raw find stock`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/search"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`fill {"uid":"<searchbox Search>","value":"lamp"}`,
				`press_key {"key":"Enter"}`,
				`take_snapshot {"query":"Brass"}`,
				`click {"uid":"<link Brass lamp>","includeSnapshot":true}`,
			},
		},
	},
	{
		name: "find a row of 40, press its button",
		saw:  []string{"refund 1017"}, want: []string{"R-551017"},
		commands: [drivers][]string{
			covePage: {
				`cove page do 'open SITE/orders' 'find 1017'`,
				`cove page do 'click <button Refund>' 'find receipt'`,
			},
			agentBrowserCLI: {
				`agent-browser open SITE/orders && agent-browser snapshot -i | grep -A4 1017`,
				`agent-browser batch "click <button Refund>" "wait --text receipt" && agent-browser read | grep receipt`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/orders && playwright-cli --raw find 1017`,
				`playwright-cli --raw click "getByRole('row', { name: '1017' }).getByRole('button')" && ` +
					`playwright-cli --raw find receipt`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/orders"}`,
				`take_snapshot {"query":"1017"}`,
				`click {"uid":"<button Refund>"}`,
				`take_snapshot {"query":"receipt"}`,
			},
		},
	},
	{
		name: "read the console and failed requests",
		want: []string{"reading 'total'", "/api/cart", "500"},
		commands: [drivers][]string{
			covePage:        {`cove page do 'open SITE/cart' 'console --type error' requests`},
			agentBrowserCLI: {`agent-browser batch "open SITE/cart" console "network requests --status 400-599"`},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/cart && playwright-cli --raw console error && playwright-cli --raw requests`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/cart"}`,
				`list_console_messages {"types":["error"]}`,
				`list_network_requests {}`,
			},
		},
	},
	{
		name: "compare two tabs, close one, press a button in the other",
		saw:  []string{"order harbour"}, want: []string{"44.50", "49.90"},
		commands: [drivers][]string{
			covePage: {
				`cove page do 'open SITE/offer/a -s' 'open SITE/offer/b --new' 'find price'`,
				`cove page do close 'click <button Order harbour lamp>'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/offer/a" snapshot "tab new SITE/offer/b" read`,
				`agent-browser batch "tab close" "find role button click --name 'Order harbour lamp'"`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/offer/a` + newest + ` && playwright-cli --raw tab-new SITE/offer/b && ` +
					`playwright-cli --raw find price`,
				`playwright-cli --raw tab-close && playwright-cli --raw click <button Order harbour lamp>`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/offer/a"}`,
				`take_snapshot {}`,
				`new_page {"url":"SITE/offer/b"}`,
				`take_snapshot {"query":"price"}`,
				`close_page {"pageId":</(?m)^(\d+): .*\[selected\]/>}`,
				`click {"uid":"<button Order harbour lamp>"}`,
			},
		},
	},
	{
		name: "fill in a form of 8 fields and send it",
		saw:  []string{registered}, want: []string{"N-2048"},
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/register -s`,
				`cove page do 'fill <textbox First name>=Ann <textbox Last name>=Berg <textbox Mail>=ann@example.com ` +
					`<textbox Street>="Havnegade 4" <textbox City>=Aarhus <combobox Country>=Denmark ` +
					`<checkbox I accept the terms>=true <textbox Postcode>=8000 --enter' 'find number'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/register" "snapshot -i"`,
				`agent-browser batch "fill <textbox First name> Ann" "fill <textbox Last name> Berg" ` +
					`"fill <textbox Mail> ann@example.com" "fill <textbox Street> 'Havnegade 4'" "fill <textbox City> Aarhus" ` +
					`"fill <textbox Postcode> 8000" "select <combobox Country> Denmark" ` +
					`"check <checkbox I accept the terms>" "click <button Send>" "wait --url **/registered" read`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/register` + newest,
				`for f in "<textbox First name> Ann" "<textbox Last name> Berg" "<textbox Mail> ann@example.com" ` +
					`"<textbox City> Aarhus" "<textbox Postcode> 8000"; do playwright-cli --raw fill $f; done && ` +
					`playwright-cli --raw fill <textbox Street> 'Havnegade 4' && ` +
					`playwright-cli --raw select <combobox Country> Denmark && ` +
					`playwright-cli --raw check <checkbox I accept the terms> && ` +
					`playwright-cli --raw click <button Send> && playwright-cli --raw find number`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/register"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`fill_form {"elements":[{"uid":"<textbox First name>","value":"Ann"},` +
					`{"uid":"<textbox Last name>","value":"Berg"},{"uid":"<textbox Mail>","value":"ann@example.com"},` +
					`{"uid":"<textbox Street>","value":"Havnegade 4"},{"uid":"<textbox City>","value":"Aarhus"},` +
					`{"uid":"<textbox Postcode>","value":"8000"},{"uid":"<combobox Country>","value":"Denmark"},` +
					`{"uid":"<checkbox I accept the terms>","value":"true"}]}`,
				`click {"uid":"<button Send>","includeSnapshot":true}`,
			},
		},
	},
	{
		name: "download a file",
		file: `(?:/[^\n"]*/)?(?:[\w.-]+/)*invoice[^\n/"]*?\.txt`,
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/invoices -s`,
				`cove page click <link Invoice 2026-10>`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/invoices" "snapshot -i"`,
				`agent-browser download <link Invoice 2026-10> invoice.txt`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/invoices` + newest,
				`playwright-cli click <link Invoice 2026-10>`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/invoices"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`click {"uid":"<link Invoice 2026-10>"}`,
			},
		},
	},
	{
		name: "read one value out of a long page",
		want: []string{"135 EUR"},
		commands: [drivers][]string{
			covePage:        {`cove page do 'open SITE/terms' 'find deposit'`},
			agentBrowserCLI: {`agent-browser open SITE/terms && agent-browser read | grep deposit`},
			playwrightCLI:   {`playwright-cli --raw goto SITE/terms && playwright-cli --raw find deposit`},
			coveMCP: {
				`navigate_page {"url":"SITE/terms"}`,
				`take_snapshot {"query":"deposit"}`,
			},
		},
	},
	{
		name: "delete something, after its dialog",
		saw:  []string{"delete spring"}, want: []string{"3 pictures", "R-55spring"},
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/drafts -s`,
				`cove page click <button Delete>`,
				`cove page do 'dialog accept' 'find receipt'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/drafts" "snapshot -i"`,
				`agent-browser click <button Delete>`,
				`agent-browser batch "dialog accept" "wait --text receipt" read`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/drafts` + newest,
				`playwright-cli click <button Delete>`,
				`playwright-cli --raw dialog-accept && playwright-cli --raw find receipt`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/drafts"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`click {"uid":"<button Delete>"}`,
				`handle_dialog {"action":"accept"}`,
				`take_snapshot {"query":"receipt"}`,
			},
		},
	},
	{
		name: "upload a file and wait for its result",
		saw:  []string{"upload a contract"}, want: []string{"12 pages"},
		commands: [drivers][]string{
			covePage: {
				`cove page open SITE/upload -s`,
				`cove page do 'upload <button Document> contract.txt' 'click <button Send>' 'wait Ready'`,
			},
			agentBrowserCLI: {
				`agent-browser batch "open SITE/upload" "snapshot -i"`,
				`agent-browser batch "upload <button Document> $PWD/contract.txt" "click <button Send>" "wait --text Ready" read`,
			},
			playwrightCLI: {
				`playwright-cli --raw goto SITE/upload` + newest,
				`playwright-cli --raw click <button Document> && playwright-cli --raw upload contract.txt && ` +
					`playwright-cli --raw click <button Send> && ` +
					`playwright-cli --raw run-code "page => page.getByText('Ready').textContent()"`,
			},
			coveMCP: {
				`navigate_page {"url":"SITE/upload"}`,
				`take_snapshot {"interactiveOnly":true}`,
				`upload_file {"uid":"<button Document>","filePaths":["contract.txt"]}`,
				`click {"uid":"<button Send>"}`,
				`wait_for {"text":["Ready"]}`,
			},
		},
	},
}
