// The API, from its own description.
Cento.reference = (() => {
  const { h } = Cento.dom;

  const type = (schema) => {
    if (!schema) return '';
    if (schema.enum) return schema.enum.join(' | ');
    return Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type || '';
  };

  const route = (path, method, told) => h('div', { class: 'route' },
    h('h3', null, h('span', { class: 'method' }, method.toUpperCase()), h('code', null, path), told['x-role'] && h('span', { class: 'badge' }, told['x-role'])),
    h('p', null, told.summary, told.description && ` ${told.description}`),
    (told.parameters || []).length > 0 && h('dl', null, told.parameters.map((one) => [
      h('dt', null, one.name), h('dd', null, `${one.description}${one.schema ? ` (${type(one.schema)}${one.required ? ', required' : ''})` : ''}`)])),
    told.requestBody && h('dl', null, h('dt', null, 'body'), h('dd', null, `${told.requestBody.description || ''} ${Object.keys(told.requestBody.content).join(', ')}`)),
    h('dl', null, Object.entries(told.responses).map(([status, answer]) => [h('dt', null, status), h('dd', null, answer.description)])));

  return async () => {
    const api = await Cento.ask.get('/openapi.json');
    const routes = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, told]) => route(path, method, told)));
    const here = location.origin;
    const element = h('div', { class: 'view' }, h('h1', null, 'API'), h('p', { class: 'verdict' }, api.info.description),
      h('section', null, h('h2', null, 'An example'),
        h('div', { class: 'example', tabindex: 0, role: 'region', 'aria-label': 'Example' }, h('code', null,
          `curl -H "Authorization: Bearer $TOKEN" --data-binary @essay.txt \\\n  "${here}/api/v1/verifications?name=essay.txt"`)),
        h('p', { class: 'note' }, 'To make a token: ', h('code', null, 'cento serve user token NAME'), '. The description for programs: ', h('a', { href: '/api/v1/openapi.json' }, 'openapi.json'), '.')),
      h('section', null, h('h2', null, 'Routes'), h('div', { class: 'card' }, routes)));
    return { element, title: 'API' };
  };
})();
