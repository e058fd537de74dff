// Which plug-ins does the browser name?

export const plugins = () => Array.from(navigator.plugins, ({ name }) => name)
