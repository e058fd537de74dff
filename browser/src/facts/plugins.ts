// Which plug-ins does the browser list?

export const plugins = () => Array.from(navigator.plugins, ({ name }) => name)
