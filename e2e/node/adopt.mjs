// The person's own browser in the window: it is shared, tab by tab, and let go.

// adopting are the scenarios; the person at the other browser presses Allow or Cancel there meanwhile.
export const adopting = ({ agent, api, axe, check, row, shot, shows, stateOf, until, window }) => {
  const dialogOf = page => page.getByRole('dialog', { name: 'Use your open browser' })
  const before = [
    'It holds everything you’re logged in to.',
    'type chrome://inspect/#remote-debugging in the address bar and tick the box',
    'Press Allow once.',
    'press Cancel if it asks again',
    'Agents see only the tabs you share, tabs they open, and tabs that any of these open, even if you click the link.',
    'any program on this computer can ask',
    'let go in Cove or untick the box',
    'Site rules are weaker: they decide where agents go and which tabs they see, not what a page loads.',
    'A click can start one even if downloads are set to No.',
    'In a shared tab, an agent acts as you. So do its scripts, if you allow them.',
    'They can also close the tab, and reach tabs of the same site that it opened or that opened it.',
    'If you go to another site in a shared tab, agents see that site too, unless a site rule blocks it.',
    'The browser’s bar “controlled by automated test software” is above every tab, not only the shared ones.',
    'Agents can’t read cookies of other sites or use a proxy.',
  ]

  return {
    // One tab is shared by its box, hidden by it, and the browser is let go.
    async adopt() {
      const page = await window()
      await page.getByRole('button', { name: 'More ways to create a profile' }).click()
      await page.getByRole('menuitem', { name: 'Use your open browser…' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Browser').waitFor()
      const text = (await dialog.innerText()).replace(/\s+/g, ' ')
      for (const one of before) check(text.indexOf(one) >= 0 && text.indexOf(one) < text.lastIndexOf('Adopt'), `“${one}” is not said before`)
      check(/\(open\)/.test(await dialog.getByLabel('Browser').locator('option:checked').innerText()), 'another browser is chosen')
      check((await dialog.getByLabel('Profile name').inputValue()) === 'my-browser', 'it has another name')
      await dialog.getByRole('button', { name: 'Copy address' }).click()
      await shows(async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'chrome://inspect/#remote-debugging', 'the address is not copied')
      await axe(page, 'adopt, before')
      await shot(page, 'adopt-before')
      await dialog.getByLabel('Profile name').press('Enter')
      const tabs = dialog.getByRole('group', { name: 'Tabs' })
      await tabs.waitFor({ timeout: 120000 }) // the person allows it
      check((await tabs.getByRole('checkbox', { checked: true }).count()) === 0, 'a tab is shared already')
      await tabs.getByLabel('s3.localhost').waitFor()
      const rows = (await tabs.locator('label').allInnerTexts()).map(text => text.split('localhost').length - 1)
      check(rows.filter(hosts => hosts === 1).length === 2 && rows.every(hosts => hosts < 2), `a tab has no address, or has it twice: ${rows}`)
      await axe(page, 'adopt, tabs')
      const tool = await agent('e2e', 2)
      const pages = async () => (await tool('list_pages')).text
      check(!(await pages()).includes('localhost'), 'nothing is shared: ' + (await pages()))
      await tabs.getByLabel('s1.localhost').check()
      await until('the shared tab', async () => (await pages()).includes('s1.localhost'))
      check(!(await pages()).includes('s3.'), 'another tab is shared: ' + (await pages()))
      await shot(page, 'adopt-tabs')
      await tabs.getByLabel('s1.localhost').uncheck()
      await until('the end of the shared tab', async () => !(await pages()).includes('localhost'))
      await tabs.getByLabel('s1.localhost').check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'hidden' })
      // The profile says whose browser it is, and has only what applies to it.
      await row(page, 'my-browser').getByText('Your browser').waitFor()
      await stateOf(page, 'my-browser', 'Open for agents')
      await shot(page, 'adopt-row')
      await page.evaluate(() => { location.hash = '#/profile/2/shared' })
      const drawer = page.getByRole('dialog', { name: 'my-browser' })
      await until('the list', () => drawer.getByLabel('s1.localhost').isChecked())
      check((await drawer.getByRole('tab').allInnerTexts()).join() === 'General,Shared tabs,Agents,Secrets', 'other sections')
      await axe(page, 'adopt, shared tabs')
      await shot(page, 'adopt-drawer')
      const save = drawer.getByRole('button', { name: 'Save' })
      check((await save.count()) === 0, 'what takes effect at once can be saved')
      await drawer.getByText('Let go first').waitFor()
      await drawer.getByRole('tab', { name: 'General' }).click()
      await save.waitFor()
      await drawer.getByText('/chromium/Default').waitFor()
      await drawer.getByText('Your Chromium').waitFor()
      for (const label of ['Start pages', 'Browser arguments', 'Window width'])
        check((await drawer.getByLabel(label).count()) === 0, `${label} is offered`)
      check((await drawer.getByRole('button', { name: 'Clone…' }).count()) === 0, 'it can be cloned')
      await drawer.getByRole('tab', { name: 'Agents' }).click()
      await drawer.getByText('Site rules decide where agents go, not what a page loads.').waitFor()
      // Full access needs a PIN, which is said before, and the window leads to where one is set.
      await drawer.getByRole('button', { name: /^Open/ }).click()
      const question = page.getByRole('dialog', { name: 'Set a PIN first' })
      await question.waitFor()
      await axe(page, 'adopt, no PIN')
      await shot(page, 'adopt-no-pin')
      await question.getByRole('button', { name: 'Cancel' }).click()
      await shows(async () => (await drawer.getByRole('button', { name: /^Guarded.*You approve scripts, cookies/ }).getAttribute('aria-pressed')) === 'true', 'the preset has changed')
      await drawer.getByRole('button', { name: /^Open/ }).click()
      await question.getByRole('button', { name: 'Go to Settings' }).click()
      await page.getByLabel('New PIN').and(page.locator(':focus')).waitFor()
      await drawer.waitFor({ state: 'hidden' })
      await page.evaluate(() => { location.hash = '#/' })
      await row(page, 'my-browser').getByRole('button', { name: 'Let go: my-browser' }).click()
      await stateOf(page, 'my-browser', '(Let go|Not shared)')
      await row(page, 'my-browser').getByRole('button', { name: 'Adopt…: my-browser' }).waitFor()
      check((await api('GET', '/browser_profiles/2')).data.state === 'closed', 'the profile is not closed')
    },

    // The browser is closed at first, then the person refuses, and allows it in the end. The PIN is asked for once, and again for full access.
    async adoptSteps() {
      const page = await window(['/login_sources', '/adopt', '/policy'])
      await api('PUT', '/pin', { pin: '4711' })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search profiles and commands' }).fill('open browser')
      await page.keyboard.press('Enter')
      const pin = page.getByRole('dialog', { name: 'Your PIN' })
      const typePIN = async () => {
        await pin.getByLabel('PIN').fill('4711')
        await page.keyboard.press('Enter')
        await pin.waitFor({ state: 'hidden' })
      }
      await typePIN()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Browser').waitFor()
      await dialog.getByRole('button', { name: 'Adopt', exact: true }).click()
      await dialog.getByText('Open your browser. Cove is waiting for it.').waitFor()
      await stateOf(page, 'my-browser', 'Open your browser')
      await shot(page, 'adopt-no-browser')
      await api('PATCH', '/browser_profiles/1', { tags: ['seen'] }) // the person opens the browser now
      await dialog.getByRole('alert').waitFor({ timeout: 120000 }) // the person refuses
      await axe(page, 'adopt, refused')
      await shot(page, 'adopt-refused')
      await stateOf(page, 'my-browser', '(Not connected|Not allowed).*')
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await dialog.getByRole('group', { name: 'Tabs' }).waitFor({ timeout: 120000 }) // the person allows it
      await dialog.getByRole('button', { name: 'Done' }).click()
      // Everything without a question takes one, and is saved.
      await page.evaluate(() => { location.hash = '#/profile/2/agents' })
      const drawer = page.getByRole('dialog', { name: 'my-browser' })
      const choose = async () => {
        await drawer.getByRole('button', { name: /^Open/ }).click()
        const question = page.getByRole('dialog', { name: /full access/ })
        await question.getByText('open any site you’re logged in to').waitFor()
        await axe(page, 'adopt, full access')
        await shot(page, 'adopt-full')
        await question.getByRole('button', { name: 'Give full access' }).click()
      }
      const answers = async () => {
        const of = name => drawer.getByLabel(name).inputValue()
        return [await of('Run scripts'), await of('Read cookies')].join()
      }
      await drawer.getByText('Advanced permissions').click()
      check((await answers()) === 'ask,ask', 'it begins with other answers')
      await choose()
      await shows(async () => (await answers()) === 'yes,yes', 'full access asks')
      await drawer.getByRole('button', { name: /^Guarded/ }).click()
      await shows(async () => (await answers()) === 'ask,ask', 'the way back leads to other answers')
      await choose()
      await drawer.getByRole('button', { name: 'Save' }).click()
      await typePIN()
      await drawer.waitFor({ state: 'hidden' })
      check((await api('GET', '/browser_profiles/2/policy')).data.preset === 'open', 'the permissions are not saved')
      // The browser is quit: the window says so.
      await api('POST', '/browser_profiles', { name: 'shared' }) // the test waits for it
      await stateOf(page, 'my-browser', 'Browser closed')
      await page.evaluate(() => { location.hash = '#/profile/2/shared' })
      await drawer.getByText('Sharing ended: your browser was closed.').waitFor()
      await axe(page, 'adopt, closed')
      await shot(page, 'adopt-closed')
    },

    // Whoever gives up waits for nothing, and is told what to do in the browser.
    async adoptCancelled() {
      const page = await window(['/adopt']) // which is answered that it was stopped
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search profiles and commands' }).fill('open browser')
      await page.keyboard.press('Enter')
      const dialog = dialogOf(page)
      await dialog.getByRole('button', { name: 'Adopt', exact: true }).click()
      await dialog.getByText('Press Allow once').waitFor({ timeout: 60000 })
      await stateOf(page, 'my-browser', 'Press Allow')
      await axe(page, 'adopt, waiting')
      await shot(page, 'adopt-waiting')
      await page.mouse.click(5, 300)
      check(await dialog.isVisible(), 'a click beside the dialog closes it')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText('If your browser still asks, press Cancel there.').waitFor()
      await stateOf(page, 'my-browser', 'Not shared')
      // The profile leads to the same dialog, with its browser.
      await row(page, 'my-browser').getByRole('button', { name: 'Adopt…: my-browser' }).click()
      await dialog.getByText('Default').or(dialog.getByText('(open)')).first().waitFor()
      check((await dialog.getByRole('combobox').count()) === 0, 'another browser can be chosen')
      await axe(page, 'adopt, again')
      await shot(page, 'adopt-again')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    },
  }
}
