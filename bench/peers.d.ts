/* What the bench needs of packages that are installed in this folder alone. */

declare module 'oidc-provider' {
  type Payload = Record<string, unknown>;

  export default class Provider {
    constructor(issuer: string, configuration: Payload);
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly Grant: new (of: Payload) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    readonly AuthorizationCode: new (of: Payload) => { save(): Promise<string> };
    listen(port: number, host: string, listening: () => void): { address(): unknown };
  }
}

declare module 'minisearch' {
  export default class MiniSearch<Document> {
    constructor(options: { readonly fields: readonly string[] });
    addAll(documents: readonly Document[]): void;
    search(
      text: string,
      options: {
        readonly boost?: Readonly<Record<string, number>>;
        readonly prefix?: boolean;
        readonly fuzzy?: number;
      },
    ): { readonly id: unknown }[];
  }
}
